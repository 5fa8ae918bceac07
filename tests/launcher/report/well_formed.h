// Checks that a text is well-formed XML, of the kind that pages and pictures use: tags that match, quoted attributes,
// and only the references that `escaped` writes.
#pragma once

#include <string>

namespace tacit::launcher {

// Empty for a well-formed text; else the error and its position.
std::string what_is_wrong_with(const std::string& xml);

}  // namespace tacit::launcher
