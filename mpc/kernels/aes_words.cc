#include "mpc/kernels/aes_words.h"

#ifdef TACIT_X86_KERNELS
#include <cpuid.h>
#endif

namespace tacit::mpc {

namespace {

#ifdef TACIT_X86_KERNELS

// The caller also checks for AVX-512, and with it that the operating system keeps the wide registers.
bool runs_vaes() {
  constexpr unsigned kAes = 1U << 25, kVaes = 1U << 9;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kAes) == 0) return false;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kVaes) != 0;
}

#endif

}  // namespace

const AesWords* aes_words(Instructions instructions) {
#ifdef TACIT_X86_KERNELS
  static const bool has_wide_aes = runs_vaes();
  if (instructions >= Instructions::kAvx512 && has_wide_aes) return &aes_words_vaes();
#endif
  static_cast<void>(instructions);
  return nullptr;
}

}  // namespace tacit::mpc
