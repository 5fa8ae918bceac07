// Text from a run's files, which another machine may have written: made valid UTF-8, shortened, escaped.
#pragma once

#include <string>
#include <string_view>

#include "launcher/json.h"

namespace tacit::launcher {

// At most `most` characters; a longer text is cut and ends in "…".
std::string shortened(std::string_view text, std::size_t most);

// Valid UTF-8 without control characters and without marks that reverse the writing direction: U+FFFD replaces them.
std::string displayable(std::string_view text);
// displayable(), for the content of an HTML element and for a quoted attribute.
std::string escaped(std::string_view text);
// The content of a <script type="application/json"> element. No "<" is in it, so nothing ends the element early.
std::string script_json(const Json& json);

}  // namespace tacit::launcher
