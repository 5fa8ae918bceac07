#include "mpc/kernels/tiles_512.h"

namespace tacit::mpc {

namespace {

struct WordStep {
  static constexpr const char* kName = "avx512";
  static constexpr int kWidestRing = 64;
  static __m512i multiply_add(__m512i sum, __m512i a, __m512i b) {
    return _mm512_add_epi64(sum, _mm512_mullo_epi64(a, b));
  }
};

}  // namespace

const Tiles& tiles_avx512() { return kTilesOf<WordStep>; }

}  // namespace tacit::mpc
