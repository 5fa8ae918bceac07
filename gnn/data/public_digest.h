// Do all parties' files have the same in what is public?
#pragma once

#include <cstdint>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// A number that is the same where the public parts are. Parties compare theirs before they start: with another graph at
// one of them, training would go wrong without a sign. FNV-1a: against mistakes, not against a forger. For the parties
// alone: the dealer, who has no part of the data, could tell by it whether a graph that it guesses is theirs.
std::uint64_t public_digest(const GraphData& data, const Ownership& ownership);

}  // namespace tacit::gnn
