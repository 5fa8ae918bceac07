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
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Largest {
  Share value;  // a column, in the ring of k = maximum_ring_bits
  Share which;  // 1 where it is, 0 elsewhere, in the ring of ring_bits, without fraction bits
};

constexpr int maximum_ring_bits(int fraction_bits, int whole_bits) { return fraction_bits + whole_bits + 3; }

// ring_bits >= k.
Largest maximum(Session& session, const Share& x, int whole_bits, int ring_bits);
Cost maximum_cost(const Spec& x, int whole_bits, int ring_bits, const CostSetting& setting);

}  // namespace tacit::mpc
