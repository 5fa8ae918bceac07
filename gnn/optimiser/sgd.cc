#include "gnn/optimiser/sgd.h"

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
  std::vector<Tensor> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i]->value.name();
    const Tensor exact = arithmetic.times(velocities_[i], -step.rate / step.gradient_scale, bound, name + " step");
    masters_[i] = arithmetic.sum(masters_[i], arithmetic.rounded(exact, fine), bound, name);
    values.push_back(arithmetic.narrowed(arithmetic.rounded(masters_[i], f)));
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
