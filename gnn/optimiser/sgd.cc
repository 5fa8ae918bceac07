#include "gnn/optimiser/sgd.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

std::vector<Tensor> Sgd::velocities(Arithmetic& arithmetic, std::span<Parameter* const> parameters,
                                    double scale) const {
  const double bound = arithmetic.ranges().weight_gradients;
  const int f = arithmetic.top().fraction_bits;
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = *parameters[i];
    Tensor v = parameter.gradient;
    const auto add = [&](const Tensor& x, double factor) {
      v = arithmetic.sum(v, arithmetic.rounded(arithmetic.times(x, factor, bound, v.name()), f), bound, v.name());
    };
    if (options_.weight_decay != 0) add(parameter.value, options_.weight_decay * scale);
    if (options_.momentum != 0 && !velocities_.empty()) add(velocities_[i], options_.momentum);
    all.push_back(arithmetic.narrowed(v));
  }
  return arithmetic.lifted(all);
}

void Sgd::step(Arithmetic& arithmetic, std::span<Parameter* const> parameters, const Step& step) {
  const int f = arithmetic.top().fraction_bits, fine = f + kMasterBits;
  const double bound = arithmetic.ranges().weights;
  if (masters_.empty()) {
    for (const Parameter* parameter : parameters) masters_.push_back(arithmetic.rounded(parameter->value, fine));
  }
  velocities_ = velocities(arithmetic, parameters, step.gradient_scale);
  if (step.rate == 0) return;
  std::vector<Tensor> steps, narrow;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double factor = -step.rate / step.gradient_scale;
    const double most = std::min(bound, std::abs(factor) * velocities_[i].bound());
    const Tensor exact = arithmetic.times(velocities_[i], factor, most, parameters[i]->value.name() + " step");
    steps.push_back(arithmetic.rounded(exact, fine));
    // A small rate gains many fraction bits, which rounding takes from the ring.
    if (steps.back().format().ring_bits < mpc::room_for(fine, bound)) narrow.push_back(steps.back());
  }
  arithmetic.lifted(narrow);
  std::vector<Tensor> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    masters_[i] = arithmetic.sum(masters_[i], steps[i], bound, parameters[i]->value.name());
    values.push_back(arithmetic.narrowed(arithmetic.rounded(masters_[i], f)).watched_as(Watched::kWeights));
  }
  values = arithmetic.lifted(values);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i]->value = values[i];
}

OptimiserState Sgd::state() const {
  OptimiserState state{masters_, 0};
  if (options_.momentum != 0) state.tensors.insert(state.tensors.end(), velocities_.begin(), velocities_.end());
  return state;
}

void Sgd::restore(OptimiserState state, std::span<Parameter* const> parameters) {
  expect_copies(state, parameters, options_.momentum != 0 ? 2 : 1);
  const auto masters =
      state.tensors.begin() + static_cast<std::ptrdiff_t>(state.tensors.empty() ? 0 : parameters.size());
  masters_.assign(state.tensors.begin(), masters);
  velocities_.assign(masters, state.tensors.end());
}

}  // namespace tacit::gnn
