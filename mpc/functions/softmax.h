// softmax — of every row: e^(x - max) / sum e^(x - max), and the likeliest class on the way.
//
// The maximum takes 3 rounds (4 beyond 7 columns); e^(x - max) is looked up (1 round), its sum s lies between 1 and the
// number c of columns, 1/s is looked up per row (1 round), and the product takes 1.
//
// Logits up to `most` = 30 lie within 60 of their row's maximum, which is what the table of e^x covers. Where `most` is
// more, e^x saturates: an element that is more than 28 below the maximum counts as 0, and its probability is 0 exactly.
// Whether an element is that far below follows from the comparisons of the maximum (maximum_and_near). The bit is
// masked in the round of x - max, and the look-up multiplies by it: a look-up beyond the table's domain is times 0.
//
// Where it is asked for, log sum e^x = max + log s: log s is looked up beside 1/s, without a round and without sending
// more. Its error is 2^-12, and max(1, n/2) units of x.
//
// Requires    |x| <= most; x in a ring of at least softmax_logit_ring(f, most); 1 <= c <= 2^10
//             result.ring_bits <= softmax_widest_ring(c, result.fraction_bits), which is little: show and lift the
//             result for the next product
// Error       2^-12, and max(1, n/2) times 2^-13 and a unit of the result: within 2^-10 for up to 6 parties with 13
//             fraction bits and for up to 4 with 12
// Rounds      6; 7 beyond 7 columns, 3 for a single one; where it saturates, 7 from 3 columns on
// Sends       an element: what the maximum does, f + 6 bits, and p = result.ring_bits + 30 - result.fraction_bits; a
//             row: p and 15 + h bits; to each peer. With saturation, an element: what maximum_and_near does, f + 5
//             bits instead of f + 6, and p + 17 + e bits more
// Consumes    an element: what the maximum does, 16 words of p + 17 + e bits, and p bits; a row: 6·2^h words of p + 19
//             bits; 2^h the power of two above 2c - 1, e the bit width of c - 1, less one. With the logarithm, a row:
//             6·2^h words of 42 bits more. With saturation, 8 words twice instead of 16
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Classes {
  Share probability;
  Share likeliest;  // 1 for the likeliest of a row, 0 for the others; without fraction bits, in the logits' ring
  Share log_sum;    // log sum e^x of every row, as x in the logits' ring; only if it was asked for
};
enum class LogSum { kNotAsked, kAsked };

Classes softmax(Session& session, const Share& x, double most, Format result, LogSum log_sum = LogSum::kNotAsked);
// The ring that logits up to `most` need.
int softmax_logit_ring(int fraction_bits, double most);
int softmax_widest_ring(std::int64_t columns, int fraction_bits);

}  // namespace tacit::mpc
