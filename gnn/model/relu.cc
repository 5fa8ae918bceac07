#include "gnn/model/relu.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

namespace {

// The largest product for which select() takes this ring.
double product_in(const Arithmetic& arithmetic, int ring_bits) {
  constexpr int kHeadBits = 3;  // of room_for()
  return std::ldexp(1.0, ring_bits - 2 * arithmetic.top().fraction_bits - kHeadBits);
}

double largest_weight_gradient(const Arithmetic& arithmetic) {
  return arithmetic.room_to_watch(arithmetic.ranges().weight_gradients);
}

}  // namespace

// The ranges of records are proved, so no bit is spared for a value that leaves its range.
Tensor Relu::narrow(const Arithmetic& arithmetic, const Tensor& x) const {
  return of_records_ ? arithmetic.narrowed(x) : Arithmetic::trimmed(x);
}

// The result is a factor of two products: the next layer's output and its weight gradient. Selected in a ring
// that holds both, and that shows a product outside its range, it need not be lifted for the second.
Tensor Relu::forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) {
  const Ranges& ranges = arithmetic.ranges();
  const Tensor narrow = this->narrow(arithmetic, x);
  positive_ = arithmetic.positive(narrow);
  const double largest = of_records_ ? product_in(arithmetic, of_records_->output)
                                     : arithmetic.room_to_watch(std::max(ranges.activations, ranges.weight_gradients));
  return arithmetic.select(positive_, narrow, std::ldexp(largest, pass == Pass::kTraining ? factor_bits_ : 0), name_);
}

std::optional<Tensor> Relu::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const double largest =
      of_records_ ? product_in(arithmetic, of_records_->gradient) : largest_weight_gradient(arithmetic);
  return arithmetic.select(positive_, narrow(arithmetic, gradient), largest, name_ + " gradient");
}

std::optional<Tensor> Relu::backward(Arithmetic& arithmetic, const Arithmetic::Product& gradient) const {
  TACIT_CHECK(!of_records_);
  Arithmetic::Product named = gradient;
  named.name = name_ + " gradient";
  return arithmetic.select(positive_, named, largest_weight_gradient(arithmetic));
}

}  // namespace tacit::gnn
