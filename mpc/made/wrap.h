// The terms of a wrap: r >> k and bit k-1 of r, for r = the sum of all parties' words mod 2^64 (WrapRequest).
//
// r >> k is the sum of the parties' words >> k, and of the carries into bit k of the sum of their low k bits.
//
// Rounds      k for an adder of many elements (adders.h), n-1 to widen its bits, and two that bind
// Sends       n = 2: the adder with carry, and 2(bits-1) + 64 bits an element
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const WrapRequest& request);

// The same in steps, which may share their rounds with others. `sum`: of k bits, with carries.
// The carries, then bit k-1, as words of Z_2^bits.
std::vector<Engine::Widening> wrap_bits(const Engine::Sum& sum, int bits);
// The two terms, of the widened bits. bits <= 64-k.
std::vector<SharedWords> wrap_terms(const Engine& engine, RingView r, int k, std::span<const SharedWords> widened);

}  // namespace tacit::mpc
