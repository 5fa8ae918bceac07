#include "net/descriptor_room.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "net/error.h"

namespace tacit::net {

namespace {

// Returns 0 if the system does not provide the number.
std::int64_t open_descriptors() {
  std::error_code failed;
  const std::filesystem::directory_iterator all("/proc/self/fd", failed);
  if (failed) return 0;
  return std::distance(begin(all), end(all)) - 1;  // without the iterator's own descriptor
}

}  // namespace

void require_room_for_descriptors(std::int64_t more, std::string_view what) {
  rlimit limit{};
  const std::int64_t open = open_descriptors();
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const auto needed = static_cast<rlim_t>(open + more);
  if (needed <= limit.rlim_cur) return;
  const rlim_t allowed = limit.rlim_max == RLIM_INFINITY ? needed : std::min(needed, limit.rlim_max);
  limit.rlim_cur = std::max(limit.rlim_cur, allowed);
  const bool raised = ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
  if (raised && needed <= limit.rlim_cur) return;
  throw ConfigError(fmt::format("this process may have {} files and sockets open, and needs {} {}: raise the limit, as "
                                "`ulimit -n 4096` does",
                                limit.rlim_cur, needed, what),
                    "", "may open too few files and sockets on its machine (`ulimit -n`)");
}

}  // namespace tacit::net
