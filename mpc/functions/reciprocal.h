// reciprocal and inverse_square_root normalise x, look up the function of u, and multiply by the power of
// two within the look-up.
//
//   1/x     = 1/u · 2^-w       x = u·2^w,  1/2 <= u <= 1,  19 thresholds
//   1/sqrt x = 1/sqrt u · 2^-w  x = u·4^w,  1/4 <= u <= 1,   9 thresholds; 13 for x up to 2^20
//
// Requires    2^-8 <= x <= 2^h, h = 12; for 1/sqrt x, h may be 20, too. x in a ring of at least f + h + 3, f >= 8 (every
//             ring and format of a job)
// Result      1/x: 25 fraction bits in a ring of 35 … 48 bits, given by ring_bits; 1/sqrt x: 19 fraction bits
//             in 25 … 49, or 25 … 47 for h = 20. The relative error at 2^12 requires these fraction bits; a ring of 48
//             holds both
// Error       relative: 2^-9 of both, for up to 8 parties; 2^-7 above 2^16. Zero and negative x, and x below 2^-8 or
//             above 2^h, give some finite value
// Rounds      4
// Sends       f + h + 3 bits an element to each peer, 2m for each threshold, and 14 + W
// Consumes    an element: the comparisons, W + f + h + 3 bits for each, and two tables of 20 words of
//             W = ring_bits + 16 bits for 1/x, of 32 words of W = ring_bits + 15 bits for 1/sqrt x, or
//             ring_bits + 17 for h = 20
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

inline constexpr int kHighestOctave = 12, kHighestOctaveOfWideRoot = 20;  // h
inline constexpr int kReciprocalFractionBits = 25;
inline constexpr int kInverseSquareRootFractionBits = 19;

Share reciprocal(Session& session, const Share& x, int ring_bits);

Share inverse_square_root(Session& session, const Share& x, int ring_bits, int highest = kHighestOctave);

}  // namespace tacit::mpc
