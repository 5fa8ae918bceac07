#include "gnn/privacy/step_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tacit::gnn {

namespace {

double beyond(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }  // of N(0, 1)

// The z with beyond(z) <= chance, rounded up to a tenth.
double end_of_tail(double chance) {
  double z = 0;
  while (z < 38 && beyond(z) > chance) z += 0.1;
  return z;
}

double density(double z) {
  constexpr double kRoot = 0.398942280401432677939946;  // 1 / sqrt(2 pi)
  return kRoot * std::exp(-z * z / 2);
}

// The integrals of density(z) and of density(z) * (e^(shift (z - a)) - 1) over a cell that begins at a.
struct Cell {
  double mass = 0, rise = 0;
};

// Gauss-Legendre quadrature: two points in a narrow cell, four points in each piece of a wide one. The relative error is a
// few units of 2^-53, since all terms are positive.
Cell integrate(double a, double b, double shift) {
  constexpr std::array<double, 2> kTwo = {0.211324865405187118, 0.788675134594812882};
  constexpr std::array<double, 4> kFour = {0.0694318442029737124, 0.330009478207571868, 0.669990521792428132,
                                           0.930568155797026288};
  constexpr std::array<double, 4> kWeights = {0.173927422568726929, 0.326072577431273071, 0.326072577431273071,
                                              0.173927422568726929};
  const double bend = std::max(std::abs(a), std::abs(b)) + shift + 2;
  Cell cell;
  if ((b - a) * bend < 1e-3) {
    for (const double t : kTwo) {
      const double part = density(a + t * (b - a)) * (b - a) / 2;
      cell.mass += part;
      cell.rise += part * std::expm1(shift * t * (b - a));
    }
    return cell;
  }
  const int pieces = static_cast<int>(std::ceil((b - a) * bend / 0.1));
  const double width = (b - a) / pieces;
  for (int i = 0; i < pieces; ++i) {
    for (std::size_t k = 0; k < kFour.size(); ++k) {
      const double from_a = (i + kFour[k]) * width;
      const double part = density(a + from_a) * width * kWeights[k];
      cell.mass += part;
      cell.rise += part * std::expm1(shift * from_a);
    }
  }
  return cell;
}

// A step that has this loss with probability `taken`, and the loss 0 otherwise.
void not_always(double taken, GridLoss& loss) {
  if (taken == 1) return;
  for (double& mass : loss.mass) mass *= taken;
  loss.infinite *= taken;
  loss.mass[static_cast<std::size_t>(-loss.first)] += 1 - taken;  // a step's losses are on both sides of 0
}

}  // namespace

SampledGaussian::SampledGaussian(const Mechanism& mechanism, double tail)
    : rate_(mechanism.sample_seen ? 1 : mechanism.rate),
      taken_(mechanism.sample_seen ? mechanism.rate : 1),
      shift_(1 / mechanism.noise) {
  const double times = taken_ * static_cast<double>(std::max<std::int64_t>(mechanism.steps, 1));
  const double one = std::min(0.5, tail / (4 * times));
  first_ = -end_of_tail(one);
  last_ = std::max(end_of_tail(one), shift_ + end_of_tail(std::min(0.5, one / rate_)));
}

double SampledGaussian::loss(double z) const {
  const double full = shift_ * z - shift_ * shift_ / 2;
  if (rate_ == 1) return full;
  if (full > 30) return full + std::log(rate_ + (1 - rate_) * std::exp(-full));
  return std::log1p(rate_ * std::expm1(full));
}

double SampledGaussian::at(double loss) const {
  double full = loss;
  if (rate_ < 1) {
    if (loss > 30) {
      full = loss - std::log(rate_) + std::log1p((rate_ - 1) * std::exp(-loss));
    } else {
      const double ratio = std::expm1(loss) + rate_;
      if (ratio <= 0) return -std::numeric_limits<double>::infinity();
      full = std::log(ratio / rate_);
    }
  }
  return full / shift_ + shift_ / 2;
}

double SampledGaussian::tails_without() const { return beyond(-first_) + beyond(last_); }
double SampledGaussian::tails_with() const {
  return (1 - rate_) * tails_without() + rate_ * (beyond(shift_ - first_) + beyond(last_ - shift_));
}

// The cell between g and g + width has the mass `all` = mass * e^g + more with the record, and `mass` without it. The split
// solves two equations: right + left = all, and right * e^-(g + width) + left * e^-g = mass. In the other direction a loss
// is -g, and the points change places.
StepLoss step_loss(const SampledGaussian& step, double width) {
  const auto first = static_cast<std::int64_t>(std::floor(step.loss(step.first()) / width));
  const auto last = static_cast<std::int64_t>(std::ceil(step.loss(step.last()) / width));
  const auto count = static_cast<std::size_t>(last - first) + 1;
  StepLoss loss;
  loss.with = {first, std::vector<double>(count), step.tails_with()};
  loss.without = {-last, std::vector<double>(count), step.tails_without()};
  const double whole = -std::expm1(-width);
  double a = step.first();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double g = static_cast<double>(first + static_cast<std::int64_t>(i)) * width;
    const double b = std::clamp(step.at(g + width), a, step.last());
    const Cell cell = integrate(a, b, step.shift());
    // N(shift,1) / N(0,1) at a. The first cell begins at first(), where the ratio of the densities exceeds e^g.
    const double full = std::exp(step.shift() * a - step.shift() * step.shift() / 2);
    const double ratio = (1 - step.rate()) + step.rate() * full;
    const double excess = i == 0 ? std::max(0.0, ratio - std::exp(g)) : 0;
    const double more = cell.mass * excess + step.rate() * full * cell.rise;
    const double all = cell.mass * std::exp(g) + more;
    const double right = std::min(all, more / whole);
    loss.with.mass[i + 1] += right;
    loss.with.mass[i] += all - right;
    const double left = std::min(cell.mass, more * std::exp(-g - width) / whole);
    loss.without.mass[count - 2 - i] += left;
    loss.without.mass[count - 1 - i] += cell.mass - left;
    a = b;
  }
  for (GridLoss* one : {&loss.with, &loss.without}) not_always(step.taken(), *one);
  return loss;
}

}  // namespace tacit::gnn
