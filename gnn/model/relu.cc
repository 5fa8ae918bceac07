#include "gnn/model/relu.h"

namespace tacit::gnn {

Tensor Relu::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  positive_ = arithmetic.non_negative(x);
  return arithmetic.select(positive_, x, arithmetic.ranges().activations, name_);
}

std::optional<Tensor> Relu::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  return arithmetic.select(positive_, gradient, arithmetic.ranges().weight_gradients, name_ + " gradient");
}

}  // namespace tacit::gnn
