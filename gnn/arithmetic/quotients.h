// Quotients of counts, on shares in the ring of 64 bits, whatever the job's own ring is.
#pragma once

#include <vector>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// The same values in the ring of 64 bits. Requires |x| < 2^(k-2) units in x's ring of k bits. One round, or none if
// all are there.
std::vector<mpc::Share> in_words(mpc::Session& session, std::vector<mpc::Share> shares);
// Values of exactly 0 and 1 as whole numbers, in the ring of 64 bits: the products of whole numbers have no fraction
// bits that could fill the ring. Rounds: 3.
mpc::Share whole_numbers(Arithmetic& arithmetic, const Tensor& ones);

// 1/x with 40 fraction bits, for 2^-8 <= x <= 2^12 in the ring of 64 bits with at most 40 fraction bits: the reciprocal
// of mpc/functions, and one step of Newton's method, r + r(1 - xr). For x = 0, some finite value.
//
// Rounds      8
// Error       2^-15 of itself
inline constexpr int kInverseBits = 40;
mpc::Share inverse(mpc::Session& session, const mpc::Share& x);

// The number of halvings that bring counts up to `most` into the range of inverse().
int halvings_of(double most);

// numerators/denominators, with 24 fraction bits in a ring of at least 28 bits. 0 for 0/0.
//
// Requires    whole numbers in the ring of 64 bits, |numerator| <= denominator <= most; denominators are 0 or at least
//             most/2^20
// Rounds      9
// Error       2^-15
inline constexpr int kQuotientBits = 24;
mpc::Share quotients(mpc::Session& session, const mpc::Share& numerators, const mpc::Share& denominators, double most);

// The number rounded to 16 fraction bits, to be revealed. The rounding is random.
inline constexpr int kRevealedBits = 16;
Tensor to_reveal(mpc::Session& session, const mpc::Share& number, double bound, const std::string& name);
// What that rounding makes of 0, at most, in a sum of so many quotients.
double rounding_of(int parties, std::int64_t quotients);

// A revealed quotient, or a mean of quotients, as it is told: between 0 and 1, and exactly 0 or 1 where it is within `error` of
// it. `least` is the smallest distance from 1 of a value below 1. If `error` does not tell this distance, nothing becomes 1: a
// metric that is told as 1 has no error among its nodes.
double told_quotient(double value, double error, double least);

}  // namespace tacit::gnn
