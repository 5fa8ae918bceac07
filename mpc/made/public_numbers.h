// Public numbers that all parties need alike, from party 0: each party computes them from public data in floating point, and
// results of different machines may differ in the last bit.
//
// Rounds      1
// Sends       party 0: 16 bytes for each number to each other party
#pragma once

#include <vector>

#include "mpc/made/engine.h"

namespace tacit::mpc {

// Party 0's `own`; at every party of the same size. Zeros on a plan.
std::vector<DoubleWord> from_first_party(Engine& engine, std::vector<DoubleWord> own);

// The whole number next to `value`, modulo 2^128. |value| < 2^126.
DoubleWord whole_number(double value);

}  // namespace tacit::mpc
