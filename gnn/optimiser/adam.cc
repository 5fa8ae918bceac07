#include "gnn/optimiser/adam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kLargestSquare = Adam::kLargestGradient * Adam::kLargestGradient;
constexpr double kLargestStep = 16;  // m' / sqrt(v'), whatever the gradients were
constexpr int kRootRing = 49;        // of the inverse root
constexpr int kMeanBits = 6;         // fraction bits of m beyond a gradient's: early steps take it many times over

void expect_within(double value, double least, double below, const char* name) {
  if (value >= least && value < below) return;
  throw ConfigError(fmt::format("adam: {} is {}; expected at least {} and below {}", name, value, least, below));
}

mpc::Share as_row(const Tensor& x) { return mpc::reshaped(x.share(), {1, x.shape().size()}); }

// 1 / (1 - beta^t)
double correction(double beta, std::int64_t step) { return 1 / (1 - std::pow(beta, static_cast<double>(step))); }

}  // namespace

Adam::Adam(const AdamOptions& options) : options_(options) {
  expect_within(options.beta1, 0, 1, "beta1");
  expect_within(options.beta2, 0, 1, "beta2");
  expect_within(options.epsilon, 0.0625, kLargestGradient, "epsilon");
  expect_within(options.weight_decay, 0, 1, "weight_decay");
}

std::vector<Tensor> Adam::gradients(Arithmetic& arithmetic, std::span<Parameter* const> parameters,
                                    double scale) const {
  const int f = arithmetic.top().fraction_bits;
  std::vector<Tensor> all;
  for (const Parameter* parameter : parameters) {
    Tensor g = parameter->gradient;
    if (options_.weight_decay != 0) {
      const Tensor decay =
          arithmetic.times(parameter->value, options_.weight_decay * scale, kLargestGradient, g.name());
      g = arithmetic.sum(g, arithmetic.rounded(decay, f), g.bound(), g.name());
    }
    all.push_back(arithmetic.narrowed(Tensor(g.share(), kLargestGradient, g.name())));
  }
  return arithmetic.lifted(all);
}

void Adam::move_moments(Arithmetic& arithmetic, const std::vector<Tensor>& gradients) {
  const int f = arithmetic.top().fraction_bits;
  const std::vector<Tensor> squares = arithmetic.squares(gradients, kLargestSquare);
  if (first_.empty()) {
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const Tensor g = arithmetic.rounded(gradients[i], f + kMeanBits);
      first_.push_back(arithmetic.difference(g, g, kLargestGradient, "m"));
      second_.push_back(arithmetic.difference(squares[i], squares[i], kLargestSquare, "v"));
    }
  }
  const auto moved = [&](const Tensor& moment, const Tensor& to, double part, int fraction_bits) {
    const Tensor way = arithmetic.difference(to, moment, 2 * to.bound(), moment.name());
    const Tensor step = arithmetic.times(way, part, 2 * to.bound() * part, moment.name());
    return arithmetic.narrowed(
        arithmetic.sum(moment, arithmetic.rounded(step, fraction_bits), to.bound(), moment.name()));
  };
  std::vector<Tensor> both;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    both.push_back(
        moved(first_[i], arithmetic.rounded(gradients[i], f + kMeanBits), 1 - options_.beta1, f + kMeanBits));
    both.push_back(moved(second_[i], squares[i], 1 - options_.beta2, 2 * f));
  }
  arithmetic.lifted(both);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    first_[i] = both[2 * i];
    second_[i] = both[2 * i + 1];
  }
}

std::vector<Tensor> Adam::steps_of(Arithmetic& arithmetic, double rate) const {
  mpc::Session& session = arithmetic.session();
  const int f = arithmetic.top().fraction_bits;
  const double least = options_.epsilon * options_.epsilon;
  // All parameters side by side, so that they share the rounds of the root.
  std::vector<mpc::Share> squares, means;
  std::vector<Tensor> narrow;
  for (const Tensor& m : first_) {
    const Tensor exact = arithmetic.times(m, -rate * correction(options_.beta1, steps_), kLargestGradient * rate, "m");
    narrow.push_back(arithmetic.rounded(exact, f + kMasterBits - 1));
  }
  // A small rate gains many fraction bits, which rounding takes from the ring.
  std::vector<Tensor> to_lift;
  std::copy_if(narrow.begin(), narrow.end(), std::back_inserter(to_lift),
               [](const Tensor& m) { return m.format().ring_bits < kRootRing; });
  arithmetic.lifted(to_lift);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const Tensor v = arithmetic.times(second_[i], correction(options_.beta2, steps_), kLargestSquare, "v");
    squares.push_back(as_row(arithmetic.rounded(v, f)));
    means.push_back(as_row(narrow[i]));
  }
  const mpc::Share x = mpc::add_public(session, mpc::beside(squares), least);
  const mpc::Share root = mpc::inverse_square_root(session, x, kRootRing);
  const std::vector<mpc::Share> factors{root, mpc::beside(means)};
  const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
  const mpc::Share exact = mpc::product(session, masked[0], masked[1]);
  const mpc::Share all = mpc::drop(session, exact, exact.fraction_bits() - f - kMasterBits);
  std::vector<Tensor> steps;
  std::int64_t at = 0;
  for (const Tensor& m : first_) {
    const mpc::Share own = mpc::columns(all, at, at + m.shape().size());
    steps.emplace_back(mpc::reshaped(own, m.shape()), kLargestStep * std::max(rate, 1e-3), "step");
    at += m.shape().size();
  }
  return steps;
}

void Adam::step(Arithmetic& arithmetic, std::span<Parameter* const> parameters, const Step& step) {
  const int f = arithmetic.top().fraction_bits;
  const double bound = arithmetic.ranges().weights;
  if (masters_.empty()) {
    for (const Parameter* parameter : parameters) {
      masters_.push_back(arithmetic.rounded(parameter->value, f + kMasterBits));
    }
  }
  ++steps_;
  move_moments(arithmetic, gradients(arithmetic, parameters, step.gradient_scale));
  if (step.rate == 0) return;
  const std::vector<Tensor> steps = steps_of(arithmetic, step.rate);
  std::vector<Tensor> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i]->value.name();
    masters_[i] = arithmetic.sum(masters_[i], steps[i], bound, name);
    values.push_back(arithmetic.narrowed(arithmetic.rounded(masters_[i], f)).watched_as(Watched::kWeights));
  }
  values = arithmetic.lifted(values);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i]->value = values[i];
}

OptimiserState Adam::state() const {
  OptimiserState state{masters_, steps_};
  state.tensors.insert(state.tensors.end(), first_.begin(), first_.end());
  state.tensors.insert(state.tensors.end(), second_.begin(), second_.end());
  return state;
}

void Adam::restore(OptimiserState state, std::span<Parameter* const> parameters) {
  expect_copies(state, parameters, 3);
  steps_ = state.steps;
  const auto count = static_cast<std::ptrdiff_t>(state.tensors.empty() ? 0 : parameters.size());
  const auto begin = state.tensors.begin();
  masters_.assign(begin, begin + count);
  first_.assign(begin + count, begin + 2 * count);
  second_.assign(begin + 2 * count, begin + 3 * count);
}

}  // namespace tacit::gnn
