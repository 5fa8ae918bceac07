#include "gnn/model/relu.h"

#include <algorithm>

#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

// What is shown travels in a ring as narrow as its range, and kSpareBits wider: a value that leaves its range is still
// a right one, which an audit of ranges can see.
constexpr int kSpareBits = 6;

Tensor to_show(const Tensor& x) {
  const int ring = mpc::room_for(x.format().fraction_bits, x.bound()) + kSpareBits;
  return ring >= x.format().ring_bits ? x : Tensor(mpc::narrow(x.share(), ring), x.bound(), x.name());
}

}  // namespace

// The result is a factor of two products: of the next layer's output and of its weight gradient. Selected in a ring
// that holds both, it need not be lifted for the second.
Tensor Relu::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  const Ranges& ranges = arithmetic.ranges();
  const Tensor narrow = to_show(x);
  positive_ = arithmetic.non_negative(narrow);
  return arithmetic.select(positive_, narrow, std::max(ranges.activations, ranges.weight_gradients), name_);
}

std::optional<Tensor> Relu::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  return arithmetic.select(positive_, to_show(gradient), arithmetic.ranges().weight_gradients, name_ + " gradient");
}

}  // namespace tacit::gnn
