// vpmadd52luq adds the low 52 bits of a product of the low 52 bits of words. The sums wrap modulo 2^64, a multiple of
// 2^52, so any number of summands is exact.
#include "mpc/kernels/tiles_512.h"

namespace tacit::mpc {

namespace {

struct Step52 {
  static constexpr const char* kName = "ifma";
  static constexpr int kWidestRing = 52;
  static __m512i multiply_add(__m512i sum, __m512i a, __m512i b) { return _mm512_madd52lo_epu64(sum, a, b); }
};

}  // namespace

const Tiles& tiles_ifma() { return kTilesOf<Step52>; }

}  // namespace tacit::mpc
