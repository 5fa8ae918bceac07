// printable makes untrusted text safe for a terminal and a log: printable ASCII stays, any other
// byte becomes \xNN.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacit::net {

// At most `most` characters; a longer text is cut and ends in "...".
std::string printable(std::string_view text, std::int64_t most = 200);

}  // namespace tacit::net
