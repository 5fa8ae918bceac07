// normalised_rows — each row less its mean, divided by the root of its variance plus epsilon: a layer norm without trained
// parameters, and its gradient.
//
// With w columns, 2^p <= w < 2^(p+1) and s = w/2^p, everything is computed on rows that are s times as large. w·x less the
// sum of its row is exact, so a large mean costs no precision, and p bits are dropped once. With c for these rows and v for
// the mean of c² and s²·epsilon:
//
//   y = c / sqrt v      gradient g:  h = s·(g - its mean),  t = the mean of h·y,  (h - t·y) / sqrt v
//
// Requires    |c| <= kMostCentred, so that v <= 2^12; the watch finds others. x therefore lies within 31 of the mean of its
//             row if w is just below a power of two, within 63 if it is one. Gradients as Ranges::gradients states.
//             At f = 13 in a ring of 64 bits: powers of two up to 2048 columns, other numbers up to 255; in a ring of 48
//             bits powers of two up to 8
// Rounds      forward 6, and 1 where x must be lifted; backward 5, and 1 where the ring has fallen too far
// Sends       to each peer, for each row of 16 columns in a ring of 64 bits: forward 124 bytes, backward 451
// Consumes    for such a row 938 dealt bytes forward, mostly for the root, and 554 backward
// Error       relative: 2^-9 of the root, and in y one unit for each 1/sqrt v; at the least variance 16 units
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

inline constexpr double kMostCentred = 63;

struct NormalisedRows {
  Tensor y;
  mpc::Masked inverse_roots;  // a column: 1/sqrt v
};

NormalisedRows normalised_rows(Arithmetic& arithmetic, const Tensor& x, double epsilon, const std::string& name);
// The gradient by x, from the gradient by y. Lifts both in place.
Tensor normalised_rows_gradient(Arithmetic& arithmetic, const NormalisedRows& rows, const Tensor& gradient,
                                const std::string& name);

}  // namespace tacit::gnn
