// over_roots — x / sqrt(y + least) for many tensors at once: the step of an optimiser that divides by the root of a
// mean square.
//
// Requires    2^-8 <= y + least <= 2^20 (mpc/functions/reciprocal.h); a top ring of 64 bits with at most 14 fraction
//             bits
// Rounds      5 for all tensors together: 4 for the root, 1 for the product; one more if an x is in a narrow ring
// Error       2^-9 of itself, 2^-7 for y above 2^16, and one unit
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// factor · tensors, |factor · tensor| <= most.
struct Multiples {
  std::span<const Tensor> tensors;
  double factor = 1;
  double most = 0;
};

// The results are as fine as master copies, |result| <= bound. An empty list if the factor of x is zero.
Tensors over_roots(Arithmetic& arithmetic, const Multiples& x, const Multiples& y, double least, double bound);

// Beside the results, the inverse roots and another quotient, exact, each of all tensors in a row.
struct OverRoots {
  Tensors results;
  mpc::Share inverse_roots, more;
};
OverRoots over_roots(Arithmetic& arithmetic, const Multiples& x, const Multiples& y, double least, double bound,
                     std::span<const Tensor> more);

}  // namespace tacit::gnn
