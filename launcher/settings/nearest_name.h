// nearest_name — suggests the intended name for a misspelt one.
#pragma once

#include <span>
#include <string_view>

namespace tacit::launcher {

// The known name within one or two slips of `name`, or "". A slip is a wrong, missing or extra
// letter, or two swapped letters. Only known names are possible here, so short names count as well.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace tacit::launcher
