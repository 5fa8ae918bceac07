#include "gnn/train/usage.h"

#include <sys/resource.h>

#include <chrono>

namespace tacit::gnn {

namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

Usage usage_so_far() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(), seconds_of(used.ru_utime) + seconds_of(used.ru_stime),
          std::int64_t{1024} * used.ru_maxrss};
}

Usage operator-(const Usage& now, const Usage& before) {
  return {now.seconds - before.seconds, now.cpu_seconds - before.cpu_seconds, now.peak_memory};
}

}  // namespace tacit::gnn
