// ExponentialCells is a table of e^(x + shift) for largest() - span() <= x <= largest(), for
// functions that start with an exponential. The cells have width 4, and half of the cells are below
// zero. A look-up has an error of 2^-14 of e^x within that span (without a dealer, for entries of 22 bits:
// 2^-13.9 of e^largest() for 5 parties), and wraps beyond it. The function
// must therefore saturate x before.
#pragma once

#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

struct ExponentialCells {
  int cell_bits = 4;

  constexpr int largest() const { return (2 << cell_bits) - 4; }  // 28
  constexpr int span() const { return (4 << cell_bits) - 4; }     // 60
  constexpr int ring_bits(int fraction_bits) const { return fraction_bits + cell_bits + 2; }
  CellTable table(int fraction_bits, double shift, CellTable::Precision precision) const;
};

}  // namespace tacit::mpc
