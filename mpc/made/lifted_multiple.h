// rho·mantissa/2^shift, for rho, the k low bits of a mask; and its bit k-1 (LiftedMultipleRequest).
//
// rho comes from an adder, in a ring of bits + shift <= 128 bits. Each party multiplies its share by the mantissa and rounds it to the
// result.
//
// Error       each party rounds its own share, a half up: the sum is within n/2 units of the multiple, and exact for shift 0. (A
//             dealer rounds once: within 1/2 unit.) The low bits of a share are those of mantissa times this party's word, uniform
//             and independent of the value. The mean of the error is that of n such roundings: n·2^-(shift+1) units for an odd
//             mantissa. Exact carries would take a second adder, of `shift` bits
// Rounds      k for an adder of many elements (adders.h), n-1 to widen, and two that bind
// Sends       n = 2: the adder of k bits with its carry, bits + shift - k to widen the carry, and bits for sigma. For k = 38, shift 20
//             and 64 bits: 2.6 kbit an element and pair, 41 rounds
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const LiftedMultipleRequest& request);

}  // namespace tacit::mpc
