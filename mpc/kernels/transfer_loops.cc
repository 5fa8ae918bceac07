#include "mpc/kernels/transfer_loops.h"

namespace tacit::mpc {

const TransferLoops& transfer_loops(Instructions instructions) {
#ifdef TACIT_X86_KERNELS
  if (instructions >= Instructions::kAvx512) return transfer_loops_avx512();
  if (instructions == Instructions::kAvx2) return transfer_loops_avx2();
#endif
  static_cast<void>(instructions);
  return transfer_loops_portable();
}

}  // namespace tacit::mpc
