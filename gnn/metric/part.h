// Part — the nodes that a loss or a metric counts.
#pragma once

#include <string_view>

#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

enum class Part { kTrain, kValidation, kTest };
inline constexpr WordTable<Part, 3> kPartWords = {
    {{Part::kTrain, "train"}, {Part::kValidation, "validation"}, {Part::kTest, "test"}}};
std::string_view name_of(Part part);

}  // namespace tacit::gnn
