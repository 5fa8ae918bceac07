// rho·mantissa/2^shift, for rho, the k low bits of a mask; and its bit k-1 (LiftedMultipleRequest).
//
// rho comes from an adder, in a ring of bits + shift <= 128 bits. Each party multiplies its share by the mantissa and rounds it to the
// result.
//
// Error       each party rounds its own share, a half up: the sum is within n/2 units of the exact multiple, and exact for shift 0.
//             (The request asks for the next whole number, within 1/2 unit, as one party makes it.) The shares' low bits are
//             mantissa·(this party's mask), uniform and independent of the value: the mean error is that of n roundings of a uniform
//             multiple of 2^-shift: n·2^-(shift+1) units for an odd mantissa
// Rounds      k for the adder, n-1 to widen, and two that bind
// Sends       n = 2: the adder of k bits with its carry, bits + shift - k to widen the carry, and bits for sigma
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const LiftedMultipleRequest& request);

}  // namespace tacit::mpc
