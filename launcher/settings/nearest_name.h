// What a person who typed a name that there is not probably meant.
#pragma once

#include <span>
#include <string_view>

namespace tacit::launcher {

// The one of `known` that `name` is a slip or two away from, or "". Here nothing can be meant but one of those, so
// short names count, too: a letter that is wrong, missing, too much, or two that are swapped.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace tacit::launcher
