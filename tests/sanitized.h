// The tests and amounts to leave out under a sanitizer, which checks every memory access.
#pragma once

// g++ defines a macro for each sanitizer, clang answers __has_feature.
#ifdef __has_feature
#define TACIT_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TACIT_HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || TACIT_HAS_FEATURE(thread_sanitizer)
#define TACIT_THREAD_SANITIZER
#elif defined(__SANITIZE_ADDRESS__) || TACIT_HAS_FEATURE(address_sanitizer)
#define TACIT_ADDRESS_SANITIZER
#endif

namespace tacit {

#ifdef TACIT_THREAD_SANITIZER
inline constexpr int kSlowdown = 20;
#elif defined(TACIT_ADDRESS_SANITIZER)
inline constexpr int kSlowdown = 4;
#else
inline constexpr int kSlowdown = 1;
#endif

// The address sanitizer reserves terabytes of address space: no such program runs under `ulimit
// -v`.
#ifdef TACIT_ADDRESS_SANITIZER
inline constexpr bool kAddressSpaceCanBeLimited = false;
// A check of an object's type asks through a pipe whether memory can be read. Without a descriptor for it, it reports a
// type that is wrong.
inline constexpr bool kDescriptorsCanBeLimited = false;
#else
inline constexpr bool kAddressSpaceCanBeLimited = true;
inline constexpr bool kDescriptorsCanBeLimited = true;
#endif

}  // namespace tacit
