#include "mpc/kernels/loops.h"

namespace tacit::mpc {

const Loops& loops(Instructions instructions) {
#ifdef TACIT_X86_KERNELS
  if (instructions >= Instructions::kAvx512) return loops_avx512();
  if (instructions == Instructions::kAvx2) return loops_avx2();
#endif
  static_cast<void>(instructions);
  return loops_portable();
}

}  // namespace tacit::mpc
