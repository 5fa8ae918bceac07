// RecordGradients — the gradients of the single rows of a batch by the parameters of a dense layer, as factors: the gradient
// of the weights for a row is the outer product of its inputs and of its gradients by the outputs.
#pragma once

#include "gnn/arithmetic/tensor.h"

namespace tacit::gnn {

// The gradients by parameters that a backward pass computes.
enum class Gradients {
  kSums,       // the sum over all rows, at each parameter
  kOfRecords,  // the factors for every row, masked and in the top ring, so that they can be clipped before they are added
};

struct RecordGradients {
  Tensor inputs, gradients;  // a row for each record; both masked
  bool bias = true;
};

}  // namespace tacit::gnn
