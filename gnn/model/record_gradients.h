// RecordGradients — the gradients of the single rows of a batch by the parameters of a dense layer, as factors: the gradient
// of the weights for a row is the outer product of its inputs and of its gradients by the outputs.
#pragma once

#include <optional>
#include <vector>

#include "gnn/arithmetic/arithmetic.h"
#include "mpc/functions/sum_widths.h"

namespace tacit::gnn {

struct RecordGradients {
  Tensor inputs, gradients;  // a row for each record; both masked
  bool bias = true;
};

// How a dense layer keeps the factors of records. The backward pass then adds up no gradient. Bounds hold for every record.
struct RecordLayer {
  mpc::RecordRings rings;     // the least rings of the factors
  double output = 0;          // the largest output
  double input_gradient = 0;  // the largest gradient by an input
  mpc::LargestSquares squared;
};
// By dense layer. Empty: gradients are summed over all rows, at each parameter.
using RecordLayers = std::vector<RecordLayer>;

// x in a ring of at least `ring_bits` bits: x itself, or lifted to the top ring in one round.
inline Tensor in_ring(Arithmetic& arithmetic, const Tensor& x, int ring_bits) {
  return x.format().ring_bits >= ring_bits ? x : arithmetic.lifted(x);
}

}  // namespace tacit::gnn
