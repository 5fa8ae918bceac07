#include "net/thread.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::net {

void refuse_without_thread(std::string_view what, const std::system_error& error) {
  const std::string why = error.code().message();
  throw ConfigError(
      fmt::format("the thread that {} cannot be started: {}. This user, container or process may have no "
                  "more: raise `ulimit -u` (processes), the container's pids.max, or `ulimit -v` (memory)",
                  what, why),
      "", "cannot start a thread on its machine: " + why);
}

}  // namespace tacit::net
