#include "launcher/settings/threads.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "launcher/settings/control_groups.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostMicroseconds = std::int64_t{1} << 50;  // in a quota or a period

int cores_in_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Whole cores in a quota of CPU time for each period. nullopt: no limit ("max", -1), or no such numbers.
std::optional<std::int64_t> cores_in(const std::string& quota, const std::string& period) {
  const auto allowed = net::parse_decimal(quota, 0, kMostMicroseconds);
  const auto of = net::parse_decimal(period, 1, kMostMicroseconds);
  if (!allowed || !of) return std::nullopt;
  return std::max<std::int64_t>(1, *allowed / *of);
}

std::string word_in(std::istream& in) {
  std::string word;
  in >> word;
  return word;
}

std::optional<std::int64_t> cores_of_group(const fs::path& group, Hierarchy hierarchy) {
  if (hierarchy == Hierarchy::kUnified) {
    std::ifstream in(group / "cpu.max");
    const std::string quota = word_in(in), period = word_in(in);
    return cores_in(quota, period);
  }
  std::ifstream quota(group / "cpu.cfs_quota_us"), period(group / "cpu.cfs_period_us");
  return cores_in(word_in(quota), word_in(period));
}

}  // namespace

int usable_cores(const fs::path& root) {
  std::int64_t cores = cores_in_affinity();
  for_each_group(root, "cpu", [&](const fs::path& group, Hierarchy hierarchy) {
    cores = std::min(cores, cores_of_group(group, hierarchy).value_or(cores));
  });
  return static_cast<int>(cores);
}

Sourced<int> find_threads(int flag, const net::GetVariable& get, int ranks_here) {
  if (flag > 0) return {flag, Source::flag(kThreadsFlag)};
  const char* text = get(kThreadsVariable);
  if (text != nullptr && *text != '\0') {
    const auto value = net::parse_decimal(text, 1, kMostThreads);
    if (!value) {
      throw ConfigError(fmt::format("{} is \"{}\"; expected a number of threads, 1 ... {}", kThreadsVariable,
                                    net::printable(text, 80), kMostThreads));
    }
    return {static_cast<int>(*value), Source::environment(kThreadsVariable)};
  }
  const int cores = usable_cores();
  const auto several = [](int count, const char* what) {
    return fmt::format("{} {}{}", count, what, count > 1 ? "s" : "");
  };
  return {std::clamp(cores / std::max(1, ranks_here), 1, kMostThreads),
          Source::by_default(fmt::format("{} for {} on this machine", several(cores, "core"),
                                         several(std::max(1, ranks_here), "rank")))};
}

}  // namespace tacit::launcher
