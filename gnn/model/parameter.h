// Parameter — a value that training learns: a weight or a bias.
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

struct Parameter {
  Tensor value;     // for products; in the ring of Precision::kParameter or a wider one; masked anew after every update
  Tensor gradient;  // times the loss' scale; from the last backward pass
};

}  // namespace tacit::gnn
