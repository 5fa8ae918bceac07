#include "gnn/privacy/loss_moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gnn/privacy/step_loss.h"

namespace tacit::gnn {

namespace {

// The limits of tilts. For a normal distribution, the tilt that belongs to k standard deviations is k divided by the standard
// deviation.
constexpr double kLeastTilt = 1e-6, kMostTilt = 20;

}  // namespace

LossMoments::LossMoments(std::span<const Mechanism> mechanisms, double tail) {
  for (const Mechanism& mechanism : mechanisms) {
    const SampledGaussian step(mechanism, tail);
    Step one;
    one.steps = static_cast<double>(mechanism.steps);
    const double width = 0.05 * std::min(1.0, mechanism.noise);
    for (double z = step.first() + width / 2; z < step.last(); z += width) {
      one.loss.push_back(step.loss(z));
      one.log_weight.push_back(std::log(step.taken() * width / std::sqrt(2 * std::numbers::pi)) - z * z / 2);
    }
    if (step.taken() < 1) {
      one.loss.push_back(0);
      one.log_weight.push_back(std::log1p(-step.taken()));
    }
    for (const Direction direction : {Direction::kWith, Direction::kWithout}) {
      double all = 0, mean = 0, square = 0;
      for (std::size_t i = 0; i < one.loss.size(); ++i) {
        const double weight = std::exp(one.log_weight[i] + (direction == Direction::kWith ? one.loss[i] : 0));
        all += weight;
        mean += weight * one.loss[i];
        square += weight * one.loss[i] * one.loss[i];
      }
      variance_[static_cast<std::size_t>(direction)] += one.steps * (square / all - mean * mean / (all * all));
    }
    steps_ += one.steps;
    each_.push_back(std::move(one));
  }
}

double LossMoments::spread() const { return std::sqrt(std::max(variance_[0], variance_[1]) / steps_); }

double LossMoments::log_moment(Direction direction, double t) const {
  const double times = direction == Direction::kWith ? t + 1 : -t;
  double sum = 0;
  for (const Step& one : each_) {
    double top = -std::numeric_limits<double>::infinity(), all = 0;
    for (std::size_t i = 0; i < one.loss.size(); ++i) top = std::max(top, one.log_weight[i] + times * one.loss[i]);
    for (std::size_t i = 0; i < one.loss.size(); ++i) all += std::exp(one.log_weight[i] + times * one.loss[i] - top);
    sum += one.steps * (top + std::log(all));
  }
  return sum;
}

// The minimum of a function with one minimum, over logarithmic steps of its argument, by golden section.
template <typename Of>
LossMoments::Choice LossMoments::least(const Of& of) const {
  constexpr double kSection = 1 / std::numbers::phi;
  const double unit = spread() * std::sqrt(steps_);
  double a = std::log(kLeastTilt / unit), b = std::log(kMostTilt / unit);
  double c = b - kSection * (b - a), d = a + kSection * (b - a);
  double at_c = of(std::exp(c)), at_d = of(std::exp(d));
  while (b - a > 0.01) {
    if (at_c <= at_d) {
      b = d, d = c, at_d = at_c;
      c = b - kSection * (b - a), at_c = of(std::exp(c));
    } else {
      a = c, c = d, at_c = at_d;
      d = a + kSection * (b - a), at_d = of(std::exp(d));
    }
  }
  return at_c <= at_d ? Choice{at_c, std::exp(c)} : Choice{at_d, std::exp(d)};
}

LossMoments::Choice LossMoments::upper_end(Direction direction, double tilt, double log_chance) const {
  const double here = log_moment(direction, tilt) + log_chance;
  return least([&](double t) { return (log_moment(direction, tilt + t) - here) / t; });
}

LossMoments::Choice LossMoments::lower_end(Direction direction, double tilt, double log_chance) const {
  const double here = log_moment(direction, tilt) + log_chance;
  Choice end = least([&](double t) { return (log_moment(direction, tilt - t) - here) / t; });
  end.value = -end.value;
  return end;
}

LossMoments::Choice LossMoments::tail(Direction direction, double x, double log_enough) const {
  const auto bound = [&](double t) { return log_moment(direction, t) - t * x; };
  const Choice best = least(bound);
  if (log_enough >= 0) return {0, 0};
  if (best.value >= log_enough) return best;
  double a = 0, b = best.at;  // the bound is convex in t, and 0 at 0
  while (b - a > 0.01 * b) {
    const double middle = (a + b) / 2;
    (bound(middle) > log_enough ? a : b) = middle;
  }
  return {bound(b), b};
}

}  // namespace tacit::gnn
