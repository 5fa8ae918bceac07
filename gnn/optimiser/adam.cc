#include "gnn/optimiser/adam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gnn/arithmetic/over_roots.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kLargestSquare = Adam::kLargestGradient * Adam::kLargestGradient;
// The watch finds every gradient above this, and smaller ones above kLargestGradient by chance, so moments and roots must be right
// up to here.
constexpr double kLargestSeen = 3 * Adam::kLargestGradient;
// The bits of the factor 1 - beta2. A relative error of 2^-10 changes a step by half as much. More bits would cost a lift of the
// mean of squares.
constexpr int kBitsOfBeta2 = 10;

void expect_within(double value, double least, double below, const char* name) {
  if (value >= least && value < below) return;
  throw ConfigError(fmt::format("adam: {} is {}; expected at least {} and below {}", name, value, least, below));
}

// The largest gradient. This bound is no power of two: the openings then have no spare bit, and the range watch sees larger
// gradients.
double largest_watched(double epsilon) { return 0.999 * std::sqrt(kLargestSquare - epsilon * epsilon); }

// A step that looks its root up has room for this much. Later steps are in the top ring, and have room for more.
double largest_step(double largest_quotient, double rate) { return largest_quotient * std::max(rate, 1e-3); }

// 1 / (1 - beta^t)
double correction(double beta, std::int64_t step) { return 1 / (1 - std::pow(beta, static_cast<double>(step))); }

class PlainAdam final : public PlainOptimiser {
 public:
  explicit PlainAdam(const AdamOptions& options) : options_(options) {}

  void step(std::span<NamedMatrix> parameters, std::span<const Matrix> gradients, double rate, double scale) override {
    if (first_.empty()) {
      for (const NamedMatrix& parameter : parameters) first_.push_back(0 * parameter.values);
      second_ = first_;
    }
    ++steps_;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Matrix& w = parameters[i].values;
      const Matrix g = gradients[i] + options_.weight_decay * w;
      w -= rate * moved(first_[i], second_[i], g, options_.epsilon / scale);
    }
  }
  PlainOptimiserState state() const override { return plain_state_of({&first_, &second_}, steps_); }
  void restore(PlainOptimiserState state, std::span<const NamedMatrix> parameters) override {
    steps_ = state.steps;
    restore_plain_lists(std::move(state), parameters, {&first_, &second_});
  }

 private:
  Matrix moved(Matrix& m, Matrix& v, const Matrix& g, double epsilon) const {
    m += (1 - options_.beta1) * (g - m);
    v += (1 - options_.beta2) * (g.cwiseAbs2() - v);
    const auto steps = static_cast<double>(steps_);
    const double m_part = 1 - std::pow(options_.beta1, steps), v_part = 1 - std::pow(options_.beta2, steps);
    return (m.array() / m_part) / (v.array() / v_part + epsilon * epsilon).sqrt();
  }

  AdamOptions options_;
  std::vector<Matrix> first_, second_;
  std::int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Optimiser> AdamOptions::make() const { return std::make_unique<Adam>(*this); }
std::unique_ptr<PlainOptimiser> AdamOptions::make_plain() const { return std::make_unique<PlainAdam>(*this); }

double AdamOptions::largest_quotient() const {
  constexpr double kLeast = 16;  // usual settings need less, and so they share one format
  constexpr std::int64_t kTried = 10'000;
  const std::int64_t following = starting_steps(), steps = following > 0 ? following : kTried;
  // |m'|² <= v' · the sum of the i-th weight in m' squared over the i-th weight in v'.
  double ratios = 0, of_first = 1, of_second = 1, largest = 0;  // beta1^t, beta2^t
  const double kept = beta2 > 0 ? beta1 * beta1 / beta2 : beta1 > 0 ? std::numeric_limits<double>::max() : 0;
  const double most = kLargestGradient / epsilon;
  for (std::int64_t t = 1; t <= steps && largest < most; ++t) {
    ratios = 1 + kept * ratios;
    of_first *= beta1;
    of_second *= beta2;
    largest = std::max(largest, (1 - beta1) / (1 - of_first) * std::sqrt(ratios * (1 - of_second) / (1 - beta2)));
  }
  if (following == 0 && kept < 1) largest = std::max(largest, (1 - beta1) / std::sqrt((1 - beta2) * (1 - kept)));
  return std::clamp(largest, kLeast, std::max(kLeast, most));
}

std::string AdamOptions::misfit(mpc::Format top) const {
  if (top.ring_bits == 64 && top.fraction_bits <= 14) return "";
  return fmt::format(
      "adam needs a ring of 64 bits with at most 14 fraction bits, not {} with {}; change [ring], or take \"sgd\"",
      top.ring_bits, top.fraction_bits);
}

Adam::Adam(const AdamOptions& options) : options_(options), starting_steps_(0) {
  for (const auto& [beta, name] : {std::pair(options.beta1, "beta1"), std::pair(options.beta2, "beta2")}) {
    if (beta >= 0 && beta <= AdamOptions::kLargestBeta) continue;
    throw ConfigError(
        fmt::format("adam: {} is {}; expected at least 0 and at most {}", name, beta, AdamOptions::kLargestBeta));
  }
  expect_within(options.epsilon, AdamOptions::kLeastEpsilon, AdamOptions::kLargestEpsilon, "epsilon");
  expect_within(options.weight_decay, 0, 1, "weight_decay");
  starting_steps_ = options.starting_steps();
  largest_quotient_ = options.largest_quotient();
}

Tensors Adam::gradients(Arithmetic& arithmetic, Parameters parameters, double scale) const {
  const double decay = options_.weight_decay * scale;
  Tensors decayed, all;
  if (decay != 0) decayed = decays(arithmetic, parameters, decay, kLargestGradient);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Tensor g = parameters[i]->gradient;
    if (decay != 0) g = arithmetic.sum(g, decayed[i], g.bound());
    // The sums of a private training come in a ring that holds their own bound, which is proved.
    const double watched = largest_watched(options_.epsilon);
    const bool has_room = mpc::room_for(g.format().fraction_bits, watched) <= g.format().ring_bits;
    all.push_back(has_room ? g.within(watched) : g);
  }
  return all;
}

void Adam::move_moments(Arithmetic& arithmetic, const Tensors& gradients) {
  Tensors squares = arithmetic.squares(gradients, kLargestSeen * kLargestSeen);
  for (Tensor& square : squares) square = arithmetic.rounded(square, Precision::kSquare);
  Tensors moved;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (i == first_.size()) {
      first_.push_back(arithmetic.zeros_like(gradients[i], Precision::kMean));
      second_.push_back(arithmetic.zeros_like(squares[i]));
    }
    moved.push_back(arithmetic.moved(first_[i], gradients[i], 1 - options_.beta1));
    moved.push_back(arithmetic.moved(second_[i], squares[i], 1 - options_.beta2, kBitsOfBeta2));
  }
  moved = arithmetic.refreshed(moved);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    first_[i] = moved[2 * i];
    second_[i] = moved[2 * i + 1];
  }
}

void Adam::starting_step(Arithmetic& arithmetic, Parameters parameters, const Step& step) {
  Tensors watched = arithmetic.refreshed(gradients(arithmetic, parameters, step.gradient_scale));
  for (Tensor& one : watched) {
    if (one.bound() >= largest_watched(options_.epsilon)) one = one.within(kLargestSeen).certain();
  }
  move_moments(arithmetic, watched);
  const bool is_last = steps_ == starting_steps_;
  if (step.rate == 0 && !is_last) return;
  const Multiples mean{first_, -step.rate * correction(options_.beta1, steps_), kLargestSeen * step.rate};
  const Multiples square{second_, correction(options_.beta2, steps_), kLargestSeen * kLargestSeen};
  const double least = options_.epsilon * options_.epsilon, bound = largest_step(largest_quotient_, step.rate);
  if (!is_last) {
    return masters_.add(arithmetic, over_roots(arithmetic, mean, square, least, bound), parameters, step.clamps);
  }
  // beta1 times the sum of beta1^i g_i, over the roots. With beta1 = 0 the sum is not kept, and any number serves.
  const double sum = options_.beta1 > 0 ? options_.beta1 / (1 - options_.beta1) : 1;
  const Tensors sums = arithmetic.scaled(first_, sum, {.most = sum * kLargestSeen, .precision = Precision::kValue});
  const OverRoots found = over_roots(arithmetic, mean, square, least, bound, sums);
  followed_.begin(arithmetic, options_.moment_rules(), first_, found.inverse_roots, found.more);
  first_.clear();
  second_.clear();
  if (step.rate != 0) masters_.add(arithmetic, found.results, parameters, step.clamps);
  masters_.tensors = arithmetic.lifted(masters_.tensors);  // so that all later steps need no lift
}

void Adam::step(Arithmetic& arithmetic, Parameters parameters, const Step& step) {
  ++steps_;
  if (!follows()) return starting_step(arithmetic, parameters, step);
  const double factor = step.rate * (1 - options_.beta1) * correction(options_.beta1, steps_);
  const double bound = largest_step(largest_quotient_, step.rate);
  const Tensors steps = followed_.step(arithmetic, options_.moment_rules(), steps_,
                                       gradients(arithmetic, parameters, step.gradient_scale), factor, bound);
  if (!steps.empty()) masters_.add(arithmetic, steps, parameters, step.clamps);
}

OptimiserState Adam::state() const {
  if (starting_steps_ == 0 || steps_ < starting_steps_) return state_of({&masters_.tensors, &first_, &second_}, steps_);
  return state_of({&masters_.tensors, &followed_.roots, &followed_.means, &followed_.rests}, steps_);
}

void Adam::restore(OptimiserState state, Parameters parameters) {
  steps_ = state.steps;
  if (starting_steps_ == 0 || steps_ < starting_steps_) {
    restore_lists(std::move(state), parameters, {&masters_.tensors, &first_, &second_});
  } else {
    restore_lists(std::move(state), parameters,
                  {&masters_.tensors, &followed_.roots, &followed_.means, &followed_.rests});
  }
}

}  // namespace tacit::gnn
