// exponential — e^x, by one look-up: e^x = e^(Delta) e^(-lambda) but for the wrap, which 16 cells of width 4 take care
// of.
//
// Requires    largest - 60 <= x <= largest, x in a ring of at least f + 6; largest a whole number
//             e^largest < 2^(result.ring_bits - result.fraction_bits - 1); result.ring_bits <= 64 - 21
// Error       2^-14·e^x, and max(1, n/2) + 1/2 units of the result
// Rounds      1
// Sends       f + 6 bits an element to each peer
// Consumes    16 words of result.ring_bits + 21 bits an element are dealt
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Share exponential(Session& session, const Share& x, int largest, Format result);
Cost exponential_cost(const Spec& x, Format result, const CostSetting& setting);

// For functions that begin with one: the table of e^(x + shift) for -32 <= x <= 28.
CellTable exponential_table(int fraction_bits, double shift, CellTable::Precision precision);
constexpr int exponential_ring_bits(int fraction_bits) { return fraction_bits + 6; }
inline constexpr int kLargestExponent = 28;
inline constexpr int kExponentialSpan = 60;

}  // namespace tacit::mpc
