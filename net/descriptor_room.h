// require_room_for_descriptors — ends a process at once, with a sentence, if its limit on open files is too low for the
// sockets that it will need.
#pragma once

#include <cstdint>
#include <string_view>

namespace tacit::net {

// Raises this process's own limit as far as it may. Throws ConfigError where `more` on top of those that are open
// exceed it; `what` they are for: "to reach 3 other ranks".
void require_room_for_descriptors(std::int64_t more, std::string_view what);

}  // namespace tacit::net
