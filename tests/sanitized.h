// The tests and amounts to leave out under a sanitizer, which checks every memory access.
#pragma once

namespace tacit {

#ifdef __SANITIZE_THREAD__
inline constexpr int kSlowdown = 20;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 4;
#else
inline constexpr int kSlowdown = 1;
#endif

// The address sanitizer reserves terabytes of address space: no such program runs under `ulimit
// -v`.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kAddressSpaceCanBeLimited = false;
#else
inline constexpr bool kAddressSpaceCanBeLimited = true;
#endif

}  // namespace tacit
