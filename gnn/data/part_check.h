// Is a party's file what the job says it is?
#pragma once

#include <string_view>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// Throws ConfigError unless the part is well formed (check) and holds exactly what the job gives to this rank: it
// begins with `where`, a file's name, says what is missing or too much, and what to do. What other ranks hold is not
// known here: agreed_shapes() compares. A part that the job calls "none" is not looked at.
void check_part(const GraphData& data, const Ownership& ownership, int rank, int parties, std::string_view where);

// Throws ConfigError unless every class is below `classes`, the number that the job says.
void check_classes(const GraphData& data, std::int64_t classes, std::string_view where);

}  // namespace tacit::gnn
