#include "mpc/kernels/aes_words.h"

namespace tacit::mpc {

const AesWords* aes_words(Instructions instructions) {
#ifdef TACIT_X86_KERNELS
  static const bool has_wide_aes = __builtin_cpu_supports("aes") != 0 && __builtin_cpu_supports("vaes") != 0;
  if (instructions >= Instructions::kAvx512 && has_wide_aes) return &aes_words_vaes();
#endif
  static_cast<void>(instructions);
  return nullptr;
}

}  // namespace tacit::mpc
