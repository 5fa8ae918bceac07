// softmax of every row, e^(x - max) / sum e^(x - max), and the likeliest class (argmax) as a by-product.
//
// The maximum takes 3 rounds (4 beyond 7 columns). e^(x - max) is looked up (1 round). Its sum s lies between
// 1 and the number c of columns. 1/s is looked up per row (1 round), and the product takes 1 round.
//
// Logits up to `most` = 30 lie within 60 of their row's maximum, the range of the table of e^x. For a larger
// `most`, e^x saturates: an element that is more than 28 below the maximum counts as 0, and its probability
// is exactly 0. The comparisons of the maximum tell whether an element is that far below (maximum_and_near).
// This bit is masked in the round of x - max, and the look-up multiplies by it. A look-up beyond the table's
// domain is thus multiplied by 0.
//
// With LogSum::kAsked, the result contains log sum e^x = max + log s. log s is looked up beside 1/s, without
// another round or message. Its error is 2^-12, and max(1, n/2) units of x.
//
// Requires    |x| <= most; x in a ring of at least softmax_logit_ring(f, most); 1 <= c <= 2^10;
//             result.ring_bits <= softmax_widest_ring(c, result.fraction_bits), which is small: show and lift
//             the result for the next product
// Error       2^-12, and max(1, n/2) times 2^-13 and a unit of the result: within 2^-10 for up to 6 parties
//             with 13 fraction bits and for up to 4 with 12
// Rounds      6; 7 beyond 7 columns, 3 for a single one; with saturation, 7 from 3 columns on
// Sends       an element: as the maximum, f + 6 bits, and p = result.ring_bits + 30 - result.fraction_bits; a
//             row: p and 15 + h bits; to each peer. With saturation, an element: as maximum_and_near, f + 5
//             bits instead of f + 6, and p + 17 + e bits more
// Consumes    an element: as the maximum, 16 words of p + 17 + e bits, and p bits; a row: 6·2^h words of
//             p + 19 bits; 2^h is the power of two above 2c - 1, e the bit width of c - 1, less one. With the
//             logarithm, a row: 6·2^h words of 42 bits more. With saturation, 8 words twice instead of 16
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Classes {
  Share probability;
  // 1 for the likeliest class of a row, 0 for the others; without fraction bits, in the logits'
  // ring.
  Share likeliest;
  // Log sum e^x of every row, in the format of x and the logits' ring; only with LogSum::kAsked.
  Share log_sum;
};
enum class LogSum { kNotAsked, kAsked };

Classes softmax(Session& session, const Share& x, double most, Format result, LogSum log_sum = LogSum::kNotAsked);
// The ring for logits up to `most`.
int softmax_logit_ring(int fraction_bits, double most);
int softmax_widest_ring(std::int64_t columns, int fraction_bits);

}  // namespace tacit::mpc
