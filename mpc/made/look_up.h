// The entries of a table of cells for a mask lambda, and products with them (LookUpRequest), from the bits of lambda.
//
// An adder makes the bits of lambda = (S + s)·L: the cell S from the high bits, s from the others (see cell_table.h). Then
//
//   values        z_v = 1{S = v}; the entry of cell C is the sum over v of a(C - v)·z_v
//   polynomial    z_vm = 1{S = v}·s^m from the powers of s (powers.h); an entry is a sum of public multiples of them, dropped
//   exponential   s = u + f with u the highest kStepBits bits: e^(-rate·f) by a polynomial of degree 3, times a table of e^(-rate·u),
//                 which u selects, times the table of cells. After each of the three steps kExponentialBits fraction bits are left
//
// A factor ly multiplies the finished entries, word by word: of a table of values, it goes into z instead.
//
// Multiples are taken of every party's share: all parties need the same whole numbers, which party 0 tells (public_numbers.h). A
// table of values is computed in whole numbers at each party, so it needs none.
//
// Error       largest_entry_error(table, n), of an entry in units of an entry; none for a table of values. An entry for a cell
//             beyond the table's interval, with coefficients 0, is within it, too
// Requires    width + kMoreBits + 2·kGuardBits + entry_bits <= 128 for polynomials; entry_bits <= 2·kExponentialBits
// Rounds      n = 2, for b bits, h of them of the cell: b for the adder, 2 for each power and for each bit that selects, kept low
//             by lifts where a ring would not fit in 128 bits (24 rounds each); 1 for the numbers, and those that bind
// Sends       n = 2: for z, 2·k·(2^h - 1) bits for each term, k = bits + entry_bits + 6; for each factor f(f+1) bits an entry, f its
//             ring
// Papers      Ishai et al., TCC 2013 (tables rotated by a mask; here unary selection from shared bits)
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const LookUpRequest& request);

// Bounds of the errors that `parties` parties make: of |entry - its real number|, in units of an entry; and of a looked-up value, which
// all its entries make, as a real number. The errors of the fit and of the weights come on top.
double largest_entry_error(const CellTable& table, int parties);
double largest_value_error(const CellTable& table, int parties);

}  // namespace tacit::mpc
