#include "mpc/kernels/bit_planes_512.h"
#include "mpc/kernels/loops_body.h"

namespace tacit::mpc {

const Loops& loops_avx512() {
  static constexpr Loops kLoops512 = [] {
    Loops all = kLoops;
    all.bit_planes = bit_planes_512;
    return all;
  }();
  return kLoops512;
}

}  // namespace tacit::mpc
