// Whether a name is probably another one, misspelt: a misspelt key must not pass for one that is nobody's business.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tacit::gnn {

// The one of `known` that `name` is like but not equal to, or "". Names of six and more characters are alike when two
// edits make one the other, or the same letters in another case; shorter ones by their case alone.
std::string_view similar_name(std::string_view name, std::span<const std::string_view> known);

std::string lower_case(std::string_view name);  // of ASCII letters

}  // namespace tacit::gnn
