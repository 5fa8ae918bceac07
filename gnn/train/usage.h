// Usage — the time and memory that this process has used so far, as the kernel reports them.
#pragma once

#include <cstdint>

namespace tacit::gnn {

struct Usage {
  double seconds = 0;            // wall clock
  double cpu_seconds = 0;        // all threads, in user and kernel mode
  std::int64_t peak_memory = 0;  // largest resident size so far, in bytes
};

Usage usage_so_far();
Usage times_so_far();  // without the peak, which takes 20 us
// Differences of the times. The peak is the peak of `now`.
Usage operator-(const Usage& now, const Usage& before);

}  // namespace tacit::gnn
