// require_room_for_descriptors throws early if the limit on open files is too low for the sockets
// that a process will need.
#pragma once

#include <cstdint>
#include <string_view>

namespace tacit::net {

// Raises this process's own limit as far as the system permits. Throws ConfigError if the limit
// does not allow `more` descriptors beside the open ones. `what` is their purpose: "to reach 3
// other ranks".
void require_room_for_descriptors(std::int64_t more, std::string_view what);

}  // namespace tacit::net
