#include "gnn/optimiser/sgd.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

namespace {

constexpr double kNoLimit = Arithmetic::Scaling().most;

class PlainSgd final : public PlainOptimiser {
 public:
  explicit PlainSgd(const SgdOptions& options) : options_(options) {}

  void step(std::span<NamedMatrix> parameters, std::span<const Matrix> gradients, double rate, double) override {
    if (velocities_.empty()) {
      for (const NamedMatrix& parameter : parameters) velocities_.push_back(0 * parameter.values);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Matrix& w = parameters[i].values;
      velocities_[i] = options_.momentum * velocities_[i] + gradients[i] + options_.weight_decay * w;
      w -= rate * velocities_[i];
    }
  }
  PlainOptimiserState state() const override {
    return options_.momentum != 0 ? plain_state_of({&velocities_}) : PlainOptimiserState{};
  }
  void restore(PlainOptimiserState state, std::span<const NamedMatrix> parameters) override {
    if (options_.momentum != 0) return restore_plain_lists(std::move(state), parameters, {&velocities_});
    restore_plain_lists(std::move(state), parameters, {});
    velocities_.clear();
  }

 private:
  SgdOptions options_;
  std::vector<Matrix> velocities_;
};

// So many that 1 - momentum, the part of the velocity that a step forgets, is exact to a 64th. With 12 bits, 0.9999 would be 1.
int bits_of_momentum(double momentum) {
  return std::max(Arithmetic::kFactorBits, 5 + static_cast<int>(std::ceil(-std::log2(1 - momentum))));
}

}  // namespace

std::unique_ptr<Optimiser> SgdOptions::make() const { return std::make_unique<Sgd>(*this); }
std::unique_ptr<PlainOptimiser> SgdOptions::make_plain() const { return std::make_unique<PlainSgd>(*this); }

void Sgd::step(Arithmetic& arithmetic, Parameters parameters, const Step& step) {
  const Ranges& ranges = arithmetic.ranges();
  const double decay = options_.weight_decay * step.gradient_scale, most = ranges.weight_gradients;
  Tensors moved;
  for (const Parameter* parameter : parameters) moved.push_back(parameter->gradient);
  const auto add = [&](const Tensors& multiples) {
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = arithmetic.sum(moved[i], multiples[i], most);
  };
  if (decay != 0) add(decays(arithmetic, parameters, decay, most));
  if (options_.momentum != 0 && !velocities_.empty()) {
    const int bits = bits_of_momentum(options_.momentum);
    const int least_bits = bits > Arithmetic::kFactorBits ? bits : 1;
    add(arithmetic.scaled(velocities_, options_.momentum,
                          {.most = most, .factor_bits = bits, .least_bits = least_bits}));
  }
  velocities_ = arithmetic.refreshed(moved);
  if (step.rate == 0) return;
  const Tensors steps =
      arithmetic.multiples(velocities_, -step.rate / step.gradient_scale,
                           {.most = step.clamps ? kNoLimit : ranges.weights, .precision = Precision::kMaster});
  masters_.add(arithmetic, steps, parameters, step.clamps);
}

OptimiserState Sgd::state() const {
  return options_.momentum != 0 ? state_of({&masters_.tensors, &velocities_}) : state_of({&masters_.tensors});
}

void Sgd::restore(OptimiserState state, Parameters parameters) {
  if (options_.momentum != 0) {
    restore_lists(std::move(state), parameters, {&masters_.tensors, &velocities_});
  } else {
    restore_lists(std::move(state), parameters, {&masters_.tensors});
  }
}

}  // namespace tacit::gnn
