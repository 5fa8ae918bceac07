// similar_name — recognises a misspelt name, so that a misspelt key is not ignored as an unknown
// one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tacit::gnn {

// The element of `known` that is similar but not equal to `name`, or "". A known name of at least
// six characters is similar if two edits or a change of case turn one into the other; a shorter
// one, if only the case differs.
std::string_view similar_name(std::string_view name, std::span<const std::string_view> known);

std::string lower_case(std::string_view name);  // of ASCII letters

}  // namespace tacit::gnn
