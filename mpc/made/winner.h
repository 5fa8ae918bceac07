// For each element of y, a table over all patterns of the mask bits of its column's pairs, with 1 and with ly at the pattern that
// wins (WinnerRequest): words times the indicator of the mask bits, in the order of the deltas.
//
// The mask bits of a pair are bound once, for its two columns.
//
// Rounds      c-1 for each party, and one that binds, for c columns
// Sends       n = 2: for each element 2(2^(c-1) - 1)·(bits + y_bits) bits, less the first party's share of the ones; for each pair
//             two bound bits. For 7 columns and words of 38 bits: 9.7 kbit an element and pair
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const WinnerRequest& request);

}  // namespace tacit::mpc
