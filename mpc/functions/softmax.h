// softmax — of every row: e^(x - max) / sum e^(x - max), and the likeliest class on the way.
//
// The maximum takes 3 rounds (4 beyond 7 columns); e^(x - max) is looked up (1 round), its sum s lies between 1 and the
// number c of columns, 1/s is looked up per row (1 round), and the product takes 1.
//
// Where it is asked for, log sum e^x = max + log s: log s is looked up beside 1/s, without a round and without sending
// more. Its error is 2^-12, and max(1, n/2) units of x.
//
// Requires    |x| < 32, max - min of a row <= 60; x in a ring of at least f + 8; 1 <= c <= 2^10
//             result.ring_bits <= softmax_widest_ring(c, result.fraction_bits), which is little: show and lift the
//             result for the next product
// Error       2^-12, and max(1, n/2) times 2^-13 and a unit of the result: within 2^-10 for up to 6 parties with 13
//             fraction bits and for up to 4 with 12
// Rounds      6; 7 beyond 7 columns, 3 for a single one
// Sends       an element: what the maximum does, f + 6 bits, and p = result.ring_bits + 30 - result.fraction_bits; a
//             row: p and 15 + h bits; to each peer
// Consumes    an element: what the maximum does, 16 words of p + 17 + e bits, and p bits; a row: 6·2^h words of p + 19
//             bits; 2^h the power of two above 2c - 1, e the bit width of c - 1, less one. With the logarithm, a row:
//             6·2^h words of 42 bits more
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

struct Classes {
  Share probability;
  Share likeliest;  // 1 for the likeliest of a row, 0 for the others; without fraction bits, in a ring of f + 8 bits
  Share log_sum;    // log sum e^x of every row, as x in a ring of f + 8 bits; only if it was asked for
};
enum class LogSum { kNotAsked, kAsked };

Classes softmax(Session& session, const Share& x, Format result, LogSum log_sum = LogSum::kNotAsked);
Cost softmax_cost(const Spec& x, Format result, const CostSetting& setting, LogSum log_sum = LogSum::kNotAsked);
int softmax_widest_ring(std::int64_t columns, int fraction_bits);

}  // namespace tacit::mpc
