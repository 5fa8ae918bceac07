// Parameter — what is learned: a weight or a bias.
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

struct Parameter {
  Tensor value;     // for products: in the top ring, masked anew after every update
  Tensor gradient;  // of the loss times its scale; of the last backward pass
};

}  // namespace tacit::gnn
