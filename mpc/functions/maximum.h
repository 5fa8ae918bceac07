// maximum — the largest element of every row and which one it is, for rows of a few columns (classes).
//
// x is shown once; the differences of all pairs of columns follow for free and are compared in the same two rounds. An
// element wins against every other one, or, of equal ones, against those after it: the maximum is what wins c-1 times.
// For up to 7 columns that is read off the compared bits at once (see winner.h), for 2^(c-1) words an element. For
// more, the number of wins is a sum of the bits in a ring of a few bits; it is masked, and looked up: 1 for c-1, else
// 0, and that times x. A tournament would compare c-1 pairs instead of c(c-1)/2, in 3 rounds for each of its log2(c)
// levels: for 7 columns a third of the comparisons in three times the rounds, for 40 columns a twentieth in four times.
//
// Requires    |x| < 2^whole_bits, x in a ring of at least k = f + whole_bits + 3
// Error       none: both are exact; of equal elements the first one is it
// Rounds      3 for up to 7 columns, 4 for more; none for a single one
// Sends       k bits an element to each peer, and 2m for each of (c-1)/2 pairs an element; beyond 7 columns b bits
//             more, b = bit width of c-1
// Consumes    an element: (c-1)/2 comparisons, and two tables, of ring_bits and of k bits to the word, of 2^(c-1) words
//             or, beyond 7 columns, of 2^b; then b + 2 bits for each comparison too
// Reveals     nothing
//
// maximum_and_near also tells which elements are near the maximum: x >= max - span, exactly. An element is near the
// maximum where it is near every other one: two more thresholds for each pair, in the same two rounds, and the count of
// the bits is looked up as the number of wins is. What it takes beside the costs above:
//
// Requires    |x| + span / 2 < 2^whole_bits
// Rounds      1 more for 3 to 7 columns, none more for fewer or for more
// Sends       2m bits for each of c-1 thresholds an element to each peer; from 3 columns on b bits more
// Consumes    an element: c-1 thresholds, b + 2 bits for each of them, and 2^b words of near_bits; of 2 columns, a word
//             of near_bits for each threshold instead
#pragma once

#include <optional>

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Largest {
  Share value;                // a column, in the ring of k = maximum_ring_bits
  Share which;                // 1 where it is, 0 elsewhere, in the ring of ring_bits, without fraction bits
  std::optional<Share> near;  // 1 where x >= value - span, 0 elsewhere, in the ring of near_bits; if it was asked for
};
struct Near {
  double span = 0;  // in whole units of x
  int near_bits = 0;
};

constexpr int maximum_ring_bits(int fraction_bits, int whole_bits) { return fraction_bits + whole_bits + 3; }

// ring_bits >= k.
Largest maximum(Session& session, const Share& x, int whole_bits, int ring_bits);

Largest maximum_and_near(Session& session, const Share& x, int whole_bits, int ring_bits, Near near);

}  // namespace tacit::mpc
