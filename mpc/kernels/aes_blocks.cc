#include "mpc/kernels/aes_blocks.h"

namespace tacit::mpc {

const AesBlocks* aes_blocks(Instructions instructions) {
#ifdef TACIT_X86_KERNELS
  if (aes_words(instructions) != nullptr) return &aes_blocks_vaes();
#endif
  static_cast<void>(instructions);
  return nullptr;
}

}  // namespace tacit::mpc
