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

// For functions that begin with one: the table of e^(x + shift) for largest() - span() <= x <= largest(), cells of
// width 4, half of them below zero.
struct ExponentialCells {
  int cell_bits = 4;

  constexpr int largest() const { return (2 << cell_bits) - 4; }  // 28
  constexpr int span() const { return (4 << cell_bits) - 4; }     // 60
  constexpr int ring_bits(int fraction_bits) const { return fraction_bits + cell_bits + 2; }
  CellTable table(int fraction_bits, double shift, CellTable::Precision precision) const;
};

}  // namespace tacit::mpc
