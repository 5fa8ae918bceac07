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

rusage used_so_far() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used;
}

// The peak since exec, as /proc reports it; -1 if it does not.
std::int64_t peak_since_exec() {
  const net::Descriptor file(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text{};
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  const std::string_view all(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  constexpr std::string_view kKey = "VmHWM:";
  const std::size_t key = all.find(kKey);
  const std::size_t digits = key == std::string_view::npos ? key : all.find_first_of("0123456789", key);
  std::int64_t kibibytes = -1;
  if (digits != std::string_view::npos) std::from_chars(all.data() + digits, all.data() + all.size(), kibibytes);
  return kibibytes < 0 ? -1 : 1024 * kibibytes;
}

// The peak that getrusage reports includes the peak of the process that started this one. Once this program's own peak is as
// high, the two are the same, and /proc, which takes ten times as long, need not be read again.
std::int64_t peak_of_this_program() {
  const auto reported = [] { return std::int64_t{1024} * used_so_far().ru_maxrss; };
  static const bool same = [&] {
    const std::int64_t both = reported(), own = peak_since_exec();
    return own < 0 || own >= both;
  }();
  return same ? reported() : peak_since_exec();
}

}  // namespace

Usage usage_so_far() {
  Usage usage = times_so_far();
  usage.peak_memory = peak_of_this_program();
  return usage;
}

Usage times_so_far() {
  const rusage used = used_so_far();
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(), seconds_of(used.ru_utime) + seconds_of(used.ru_stime), 0};
}

Usage operator-(const Usage& now, const Usage& before) {
  return {now.seconds - before.seconds, now.cpu_seconds - before.cpu_seconds, now.peak_memory};
}

}  // namespace tacit::gnn
