#include "gnn/train/usage.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string_view>

#include "net/descriptor.h"

namespace tacit::gnn {

namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// The peak since exec. getrusage would include the peak of the process that started this one. -1 if
// it is not reported.
std::int64_t peak_of_this_program() {
  const net::Descriptor file(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text{};
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  const std::string_view all(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  constexpr std::string_view kKey = "VmHWM:";
  const std::size_t key = all.find(kKey);
  if (key == std::string_view::npos) return -1;
  const std::size_t digits = all.find_first_of("0123456789", key);
  std::int64_t kibibytes = -1;
  if (digits != std::string_view::npos) std::from_chars(all.data() + digits, all.data() + all.size(), kibibytes);
  return kibibytes < 0 ? -1 : 1024 * kibibytes;
}

}  // namespace

Usage usage_so_far() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const std::int64_t peak = peak_of_this_program();
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(), seconds_of(used.ru_utime) + seconds_of(used.ru_stime),
          peak >= 0 ? peak : std::int64_t{1024} * used.ru_maxrss};
}

Usage operator-(const Usage& now, const Usage& before) {
  return {now.seconds - before.seconds, now.cpu_seconds - before.cpu_seconds, now.peak_memory};
}

}  // namespace tacit::gnn
