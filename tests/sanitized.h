// How much less a test should move where every access of memory is watched.
#pragma once

namespace tacit {

#ifdef __SANITIZE_THREAD__
inline constexpr int kSlowdown = 20;
#else
inline constexpr int kSlowdown = 1;
#endif

}  // namespace tacit
