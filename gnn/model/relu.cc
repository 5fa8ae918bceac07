#include "gnn/model/relu.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

// The factors of the gradients of records are in the top ring.
double Relu::largest_product(const Arithmetic& arithmetic, double otherwise) const {
  return gradients_ == Gradients::kOfRecords ? std::ldexp(1.0, arithmetic.top().ring_bits) : otherwise;
}

// The result is a factor of two products: the next layer's output and its weight gradient. Selected in a ring
// that holds both, it need not be lifted for the second.
Tensor Relu::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  const Ranges& ranges = arithmetic.ranges();
  const Tensor narrow = Arithmetic::trimmed(x);
  positive_ = arithmetic.non_negative(narrow);
  return arithmetic.select(positive_, narrow,
                           largest_product(arithmetic, std::max(ranges.activations, ranges.weight_gradients)), name_);
}

std::optional<Tensor> Relu::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const double largest = largest_product(arithmetic, arithmetic.ranges().weight_gradients);
  return arithmetic.select(positive_, Arithmetic::trimmed(gradient), largest, name_ + " gradient");
}

}  // namespace tacit::gnn
