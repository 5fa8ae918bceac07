// printable makes untrusted text safe for a terminal and a log: letters, digits, signs and plain spaces of UTF-8 stay.
// Every byte of anything else becomes \xNN: of control characters, of bytes that are not UTF-8, of characters that nobody sees,
// and of those that change the order in which others are shown. The locale has no part in it: jobs, events and reports are UTF-8,
// and a rank often runs as a service, in the locale C.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacit::net {

// At most `most` bytes; a longer text is cut between characters and ends in "...".
std::string printable(std::string_view text, std::int64_t most = 200);

// The columns that printable text takes on a terminal: two for a wide character (Chinese, Japanese, Korean, an emoji), none for
// an accent that is a character of its own.
std::int64_t columns_of(std::string_view printable_text);

}  // namespace tacit::net
