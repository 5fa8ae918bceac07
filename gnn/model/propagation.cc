#include "gnn/model/propagation.h"

#include <algorithm>

namespace tacit::gnn {

Propagation::Propagation(std::string name, Propagator& propagator, std::int64_t steps, double restart, Input input)
    : name_(std::move(name)), propagator_(propagator), steps_(steps), restart_(restart), input_(input) {}

Tensor Propagation::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  if (of_data_) return *of_data_;
  const Ranges& ranges = arithmetic.ranges();
  const double bound = input_ == Input::kLearned ? ranges.activations : std::max(ranges.features, x.bound());
  const Tensor start = arithmetic.rounded(x, Precision::kValue);  // data with elements dropped are finer
  std::optional<Tensor> kept;
  const Arithmetic::Scaling seen{.least_bits = Arithmetic::kFactorBits, .least_ring = arithmetic.ring_to_watch(bound)};
  if (restart_ > 0) kept = arithmetic.scaled(start, restart_, seen);
  Tensor z = start;
  for (std::int64_t step = 0; step < steps_; ++step) {
    z = propagator_.forward(arithmetic, z, bound, name_);
    if (kept) z = arithmetic.sum(z, *kept, bound, name_);
    if (input_ != Input::kLearned) z.watched_as(Watched::kFeatures);
  }
  z = propagator_.own(arithmetic, z);
  if (input_ != Input::kData) return z;
  of_data_ = arithmetic.lifted(z);  // a dropout needs room in its ring
  return *of_data_;
}

std::optional<Tensor> Propagation::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  if (input_ != Input::kLearned) return std::nullopt;
  const double bound = arithmetic.ranges().gradients;
  const std::string name = name_ + " gradient";
  Tensor at = propagator_.own_backward(arithmetic, gradient);
  std::optional<Tensor> passed;  // the sum of the gradients by the results of all steps
  for (std::int64_t step = 0; step < steps_; ++step) {
    if (restart_ > 0) passed = passed ? arithmetic.sum(*passed, at) : at;
    at = propagator_.backward(arithmetic, at, bound, name);
  }
  if (!passed) return at;
  const Arithmetic::Scaling seen{
      .most = bound, .least_bits = Arithmetic::kFactorBits, .least_ring = arithmetic.ring_to_watch(bound)};
  const Tensor kept = arithmetic.scaled(*passed, restart_, seen);
  return arithmetic.sum(at, kept, bound, name);
}

}  // namespace tacit::gnn
