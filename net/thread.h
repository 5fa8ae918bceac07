// start_thread starts a std::thread, and throws ConfigError if the machine's limits allow no
// further thread: the number of processes of the user or the container, or memory.
#pragma once

#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace tacit::net {

// Throws ConfigError with the thread's purpose, the reason, and the remedy.
[[noreturn]] void refuse_without_thread(std::string_view what, const std::system_error& error);

// `what` names the thread's purpose in messages: "moves bytes".
template <typename Act>
std::thread start_thread(std::string_view what, Act act) {
  try {
    return std::thread(std::move(act));
  } catch (const std::system_error& error) {
    refuse_without_thread(what, error);
  }
}

}  // namespace tacit::net
