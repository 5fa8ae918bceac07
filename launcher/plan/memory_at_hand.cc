#include "launcher/plan/memory_at_hand.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "launcher/settings/control_groups.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;  // "max" is no number
  return number;
}

// The first number in a file.
std::optional<std::int64_t> number_of(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  return in >> word ? number_in(word) : std::nullopt;
}

// The number after `name`, in a file of lines "name value".
std::optional<std::int64_t> number_of(const fs::path& file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second;
    if (words >> first >> second && first == name) return number_in(second);
  }
  return std::nullopt;
}

// The memory left under one group's limit. Cached pages of files count as free.
std::optional<std::int64_t> left_in(const fs::path& group, const char* limit, const char* used, const char* cached) {
  const std::optional<std::int64_t> most = number_of(group / limit), now = number_of(group / used);
  if (!most || !now) return std::nullopt;
  return std::max<std::int64_t>(*most - *now + number_of(group / "memory.stat", cached).value_or(0), 0);
}

// The least memory left in this process' group and its ancestors.
std::optional<std::int64_t> left_in_groups(const fs::path& root) {
  std::optional<std::int64_t> least;
  for_each_group(root, "memory", [&](const fs::path& group, Hierarchy hierarchy) {
    const auto left = hierarchy == Hierarchy::kUnified
                          ? left_in(group, "memory.max", "memory.current", "inactive_file")
                          : left_in(group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
    if (left && (!least || *left < *least)) least = left;
  });
  return least;
}

std::optional<std::int64_t> left_of_address_space(const fs::path& root) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const std::int64_t pages = number_of(root / "proc/self/statm").value_or(0);
  return std::max<std::int64_t>(static_cast<std::int64_t>(limit.rlim_cur) - pages * ::sysconf(_SC_PAGESIZE), 0);
}

}  // namespace

MemoryAtHand memory_at_hand(const fs::path& root) {
  MemoryAtHand least;
  const auto take = [&](std::optional<std::int64_t> bytes, const char* limit) {
    if (bytes && (least.bytes < 0 || *bytes < least.bytes)) least = {*bytes, limit};
  };
  const std::optional<std::int64_t> free = number_of(root / "proc/meminfo", "MemAvailable:");
  take(free ? std::optional(*free * 1024) : std::nullopt, "free memory");
  take(left_in_groups(root), "the container's limit");
  least.of_a_process = left_of_address_space(root).value_or(-1);
  return least;
}

}  // namespace tacit::launcher
