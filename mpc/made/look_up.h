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
// Error       largest_entry_error(table, n); none for a table of values. It holds for entries beyond the table's interval, too, whose
//             coefficients are 0
// Requires    polynomials: bits + entry_bits + 6 <= 128. Exponentials: entry_bits <= 48, bits - entry_bits <= 56
// Rounds      n = 2, for b bits of lambda: b for the adder, 2 for each power after the first and for each bit that selects, some 25
//             for a lift of a value whose ring would not fit in 128 bits, 1 for the numbers, and those that bind
// Sends       n = 2, an element and pair, bound bits included: 1/s of softmax (16 cells, 6 terms, ring 64) 33.6 kbit, 64 rounds; its
//             exponential (19 bits, 16 cells, ring 53) 15.4 kbit, 75 rounds; a value of 3 bits, ring 38: 0.8 kbit, 9 rounds. For each
//             factor f(f+1) bits an entry and 64f bits to bind it, f its ring
// Papers      Ishai et al., TCC 2013 (tables rotated by a mask; here selected by shared bits)
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
