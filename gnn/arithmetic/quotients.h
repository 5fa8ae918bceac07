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
// The most by which rounding moves a revealed sum of so many quotients, each of 0.
double rounding_of(int parties, std::int64_t quotients);

// A metric from a revealed quotient or mean of quotients. The metric is between 0 and 1, and exactly 0 or 1 if the number is within
// `error` of this end. `least` is the smallest distance from 1 of a value below 1. If `error` is not below half of it, nothing becomes 1:
// with a metric of 1, no node is wrong.
double told_quotient(double value, double error, double least);

}  // namespace tacit::gnn
