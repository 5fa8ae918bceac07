#include "gnn/model/pooling.h"

#include <algorithm>

namespace tacit::gnn {

Tensor Pooling::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  if (of_data_) return *of_data_;
  const Ranges& ranges = arithmetic.ranges();
  const double bound = input_ == Input::kLearned ? ranges.activations : std::max(ranges.features, x.bound());
  const Tensor start = arithmetic.rounded(x, Precision::kValue);  // data with elements dropped are finer
  Tensor z = propagator_.forward(arithmetic, start, bound, name_);
  if (input_ != Input::kLearned) z.watched_as(Watched::kFeatures);
  if (input_ != Input::kData) return z;
  of_data_ = arithmetic.lifted(z);  // a dropout needs room in its ring
  return *of_data_;
}

std::optional<Tensor> Pooling::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  if (input_ != Input::kLearned) return std::nullopt;
  return propagator_.backward(arithmetic, gradient, arithmetic.ranges().gradients, name_ + " gradient");
}

}  // namespace tacit::gnn
