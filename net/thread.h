// start_thread — a std::thread, on a machine that may have none left: a limit on this user's processes, on its
// container's, or on its memory.
#pragma once

#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace tacit::net {

// Throws ConfigError that says which thread, why, and what to do.
[[noreturn]] void refuse_without_thread(std::string_view what, const std::system_error& error);

// `what` it does: "moves bytes".
template <typename Act>
std::thread start_thread(std::string_view what, Act act) {
  try {
    return std::thread(std::move(act));
  } catch (const std::system_error& error) {
    refuse_without_thread(what, error);
  }
}

}  // namespace tacit::net
