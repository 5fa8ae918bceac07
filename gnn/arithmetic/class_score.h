// The score by which a ranking orders nodes: the log-odds of a class, log p/(1 - p) = z_c - log sum over the others of
// e^z. The probability p of the softmax grows with it, and the score keeps its digits where p is close to 0 or 1.
//
// Rounds      0 for two classes; 6 or 7 for more; at most 1 more for a lift
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// A column, as fine as values, in a ring that shows the difference of any two scores. |score| <= its bound.
Tensor class_score(Arithmetic& arithmetic, const Tensor& z, std::int64_t of_class);

}  // namespace tacit::gnn
