#include "net/collectives/wide_pack.h"

#include "net/cpu.h"

namespace tacit::net {

const WidePack* wide_pack() {
#ifdef TACIT_X86_KERNELS
  static const bool wide = best_instructions() >= Instructions::kAvx512;
  if (wide) return &wide_pack_avx512();
#endif
  return nullptr;
}

}  // namespace tacit::net
