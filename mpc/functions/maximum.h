// maximum finds the largest element of every row and its position (argmax), for rows of a few columns
// (classes).
//
// x is shown once. The differences of all pairs of columns follow for free and are compared in the same two
// rounds. An element wins against every other element that is smaller, and against an equal one after it:
// the maximum is the element that wins c-1 times. For up to 7 columns, the protocol winner reads this off the
// compared bits at once (see winner.h), for 2^(c-1) words an element. For more columns, the number of wins
// is a sum of the bits in a ring of a few bits. The sum is masked and looked up: 1 for c-1, else 0; and this
// times x. A tournament would compare c-1 pairs instead of c(c-1)/2, in 3 rounds for each of its log2(c)
// levels: for 7 columns a third of the comparisons in three times the rounds, for 40 columns a twentieth in
// four times.
//
// Requires    |x| < 2^whole_bits, x in a ring of at least k = f + whole_bits + 3
// Error       none: value and position are exact; among equal elements the first one wins
// Rounds      3 for up to 7 columns, 4 for more; 0 for a single column
// Sends       k bits an element to each peer, and 2m for each of (c-1)/2 pairs an element; for more than 7
//             columns b bits more, b = bit width of c-1
// Consumes    an element: (c-1)/2 comparisons, and two tables, of ring_bits and of k bits to the word, of
//             2^(c-1) words or, beyond 7 columns, of 2^b; then b + 2 bits for each comparison, too
// Reveals     nothing
//
// maximum_and_near also finds the elements near the maximum: x >= max - span, exactly. An element is near
// the maximum if it is near every other element. This takes two more thresholds for each pair, in the same
// two rounds, and a look-up of the count of the bits, as for the number of wins. In addition to the above:
//
// Requires    |x| + span / 2 < 2^whole_bits
// Rounds      1 more for 3 to 7 columns, none more for fewer or for more
// Sends       2m bits for each of c-1 thresholds an element to each peer; from 3 columns on b bits more
// Consumes    an element: c-1 thresholds, b + 2 bits for each threshold, and 2^b words of near_bits; for 2
//             columns, a word of near_bits for each threshold instead
#pragma once

#include <optional>

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Largest {
  Share value;  // a column, in the ring of k = maximum_ring_bits
  // 1 for the first largest element, 0 elsewhere, in the ring of ring_bits, without fraction bits.
  Share which;
  // 1 where x >= value - span, 0 elsewhere, in the ring of near_bits; only from maximum_and_near.
  std::optional<Share> near;
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
