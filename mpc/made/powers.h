// Powers of a fraction whose bits are shared, and a lift of a value of few bits to a wider ring: steps of a look-up.
//
//   s^m = s·s^(m-1), bit by bit: bit j of s, times words of j bits less. A product has the fraction bits of both factors; those
//   beyond `keep` are dropped, and the ring becomes as many bits narrower. A power whose ring becomes too narrow is lifted.
//
// Error       of s^m: n/2 units of 2^-keep for each drop before it, fewer than m of them (power_errors). A lift is exact
// Rounds      for each power n, and f + n for a lift of f bits; 1 for each of both to bind bits
// Sends       n = 2, for each power: 2·k - j bits for bit j of s, k the ring; for a lift, an adder and a widened bit
#pragma once

#include "mpc/made/engine.h"

namespace tacit::mpc {

// The ring of the steps of a look-up: two words.
inline constexpr int kWidestRing = 2 * kWordBits;

// The powers of s = the number that `bits` make, the lowest first, over 2^bits.size(): 1, s, … s^degree, each in Z_2^width with `keep`
// fraction bits. width <= kWidestRing.
std::vector<SharedWords> powers(Engine& engine, std::span<const SharedBits> bits, std::int64_t rows, int degree,
                                int width, int keep);

// Bounds of the errors of these powers, in units of 2^-keep.
std::vector<double> power_errors(int parties, int bits, int degree, int keep);

// x in Z_2^width, for -2^(fraction_bits-1) <= x < 3·2^(fraction_bits-1). One column, shared by all parties.
SharedWords lifted(Engine& engine, const SharedWords& x, int fraction_bits, int width);

}  // namespace tacit::mpc
