#include "launcher/processes/stack.h"

#include <fmt/format.h>
#include <sys/resource.h>

namespace tacit::launcher {

std::string stack_problem() {
  constexpr rlim_t kLeast = 256 << 10;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeast) return "";
  return fmt::format("the stack is limited to {} KiB; expected at least {}: run `ulimit -s 8192`", limit.rlim_cur >> 10,
                     kLeast >> 10);
}

}  // namespace tacit::launcher
