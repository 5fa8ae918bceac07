// Softmax of every row of logits, and its log sum e^z if a loss asks for it (mpc/functions/softmax.h).
//
// Rounds      6 or 7; 1 more if the logits' ring is too narrow
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

struct Softmax {
  Tensor probability;  // in a narrow ring
  Tensor log_sums;     // a column, as fine as the logits; if it was asked for
};

// z is lifted if its ring is too narrow. `spare_bits`: room in the ring of probabilities for a multiple.
Softmax softmax(Arithmetic& arithmetic, const Tensor& z, bool with_log_sums, int spare_bits = 0);

}  // namespace tacit::gnn
