// Usage — what this process has used so far, by its own account.
#pragma once

#include <cstdint>

namespace tacit::gnn {

struct Usage {
  double seconds = 0;            // of wall clock
  double cpu_seconds = 0;        // of all threads, in user and kernel mode
  std::int64_t peak_memory = 0;  // bytes resident, at most so far
};

Usage usage_so_far();
// The peak is that of `now`.
Usage operator-(const Usage& now, const Usage& before);

}  // namespace tacit::gnn
