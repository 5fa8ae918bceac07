// normalise scales a positive x to u·2^(step·w), with u within one step below 1, and gives 2^-w: the
// argument of a reciprocal or a root.
//
// x is compared with all powers 2^(lowest + step), 2^(lowest + 2·step), … below 2^highest in the same two
// rounds. With their bits b_j, u is linear in b_j·x and 2^-w is linear in b_j.
//
// Requires    2^lowest <= x <= 2^highest, highest a multiple of step, highest - lowest too; x in a ring of
//             at least f + highest + 3; f >= kPositionBits - highest, f >= -lowest
// Error       u: max(1, n/2)·2^-kPositionBits; 2^-w: none. Below 2^lowest, u is smaller still; above
//             2^highest, larger
// Rounds      3: one to show x, two to compare it
// Sends       f + highest + 3 bits an element to each peer, and 2m for m groups of each comparison
// Consumes    an element: the comparisons, and ring_bits + f + highest + 3 bits for each comparison
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Octaves {
  int lowest = 0;
  int highest = 0;
  int step = 1;  // octaves between two thresholds

  constexpr int count() const { return (highest - lowest) / step; }
};

struct Normalised {
  Share u;      // kPositionBits fraction bits
  Share power;  // 2^-w with highest / step fraction bits, in the ring of ring_bits
};

inline constexpr int kPositionBits = 14;

Normalised normalise(Session& session, const Share& x, Octaves octaves, int ring_bits);

}  // namespace tacit::mpc
