// Mask bits mu as words, and mu times masks r (WideningRequest, SelectionRequest).
//
// If the selection lifts, mu also multiplies the two terms of the wrap of r (wrap.h), as words.
//
// Rounds      as a wrap, if it lifts; n for the products; and one that binds mu
// Sends       n = 2: 64 bits an element to bind mu, bits-1 to widen it, 2·bits for mu·r. For a lift, a wrap in Z_2^q and 4q for its
//             two products, q = bits - k
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const WideningRequest& request);
std::vector<SharedWords> made(Engine& engine, const SelectionRequest& request);

}  // namespace tacit::mpc
