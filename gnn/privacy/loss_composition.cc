#include "gnn/privacy/loss_composition.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "gnn/privacy/fourier.h"

namespace tacit::gnn {

namespace {

std::int64_t place(const GridLoss& grid, std::size_t i) { return grid.first + static_cast<std::int64_t>(i); }

// `size` is a power of two.
std::size_t wrapped(std::int64_t index, std::size_t size) { return static_cast<std::size_t>(index) & (size - 1); }

// log E[e^(t L)] of one step. A term near the largest one keeps the sum from overflowing.
double log_moment(const GridLoss& grid, double width, double t) {
  const auto exponent = [&](std::size_t i) { return t * width * static_cast<double>(place(grid, i)); };
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < grid.mass.size(); i += 16) {
    if (grid.mass[i] > 0) top = std::max(top, exponent(i) + std::log(grid.mass[i]));
  }
  for (std::size_t i = 0; i < grid.mass.size(); ++i) sum += grid.mass[i] * std::exp(exponent(i) - top);
  return top + std::log(sum);
}

}  // namespace

double LossComposition::rounding(std::size_t size) { return Fourier::rounding(size) + 64 * 0x1p-53; }

LossComposition::LossComposition(const std::vector<LossPart>& parts, Direction direction, const LossWindow& window,
                                 double width, std::size_t size)
    : tilt_(window.tilt), width_(width), begin_(static_cast<std::int64_t>(std::floor(window.begin / width))) {
  compose(parts, direction, size);
  double none = 0, beyond = -window.beyond_at * at(size - 1);
  for (const LossPart& part : parts) {
    const GridLoss& grid = part.of(direction);
    none += part.steps * (std::log1p(-grid.infinite) + std::log1p(-part.failure));
    beyond += part.steps * (log_moment(grid, width, window.beyond_at) + 2 * rounding(size));
  }
  infinite_ = -std::expm1(none) + std::exp(beyond);
}

// If a spectrum s has the error `unit`, its power s^T has the error (|s| + unit)^T * unit * T / (|s| + unit). By the
// inequality of Cauchy and Schwarz and the theorem of Parseval, the sum of all errors after the inverse transform is at
// most the root of the sum of their squares.
void LossComposition::compose(const std::vector<LossPart>& parts, Direction direction, std::size_t size) {
  const double unit = rounding(size);
  Fourier transform(size);
  std::vector<double> log_absolute(size / 2 + 1), angle(size / 2 + 1), log_worst(size / 2 + 1), slope(size / 2 + 1);
  std::vector<std::complex<double>> spectrum;
  std::vector<double> values;
  double steps = 0;
  for (const LossPart& part : parts) {
    const GridLoss& grid = part.of(direction);
    const double log_step = log_moment(grid, width_, tilt_);
    log_all_ += part.steps * log_step;
    steps += part.steps;
    values.assign(size, 0);
    for (std::size_t i = 0; i < grid.mass.size(); ++i) {
      const std::int64_t at = place(grid, i);
      values[wrapped(at, size)] += grid.mass[i] * std::exp(tilt_ * width_ * static_cast<double>(at) - log_step);
    }
    spectrum = transform.spectrum(values);
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
      const double absolute = std::abs(spectrum[k]);
      log_absolute[k] += part.steps * std::log(std::max(absolute, 1e-300));
      angle[k] += part.steps * std::arg(spectrum[k]);
      log_worst[k] += part.steps * std::log(absolute + unit);
      slope[k] += part.steps / (absolute + unit);
    }
  }
  double of_powers = 0, square = 0;
  for (std::size_t k = 0; k < spectrum.size(); ++k) {
    spectrum[k] = std::polar(std::exp(log_absolute[k]), angle[k]);
    const double worst = std::exp(log_worst[k]);
    of_powers += 2 * std::pow(unit * slope[k] * worst, 2);
    square += 2 * worst * worst;
  }
  values = transform.values(spectrum);
  error_ = std::sqrt(of_powers) + unit * std::sqrt(square) + 2 * steps * unit;  // the last: of log_all_
  mass_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    mass_[i] = std::max(0.0, values[wrapped(begin_ + static_cast<std::int64_t>(i), size)]);
  }
}

// Walks from the largest loss downwards. At a point x, `above` is the sum of mass * e^-tilt(y - x) over all y >= x, and
// `weighed` is the same sum with e^-(y - x) in addition. Between two points, delta is linear in e^epsilon.
double LossComposition::epsilon(double delta) const {
  double above = 0, weighed = 0;
  for (std::size_t i = mass_.size(); i-- > 0;) {
    const double x = at(i), scale = std::exp(log_all_ - tilt_ * x);
    const double next_above = above, next_weighed = weighed;
    above = above * std::exp(-tilt_ * width_) + mass_[i];
    weighed = weighed * std::exp(-(tilt_ + 1) * width_) + mass_[i];
    const double allowed = delta - infinite_ - scale * error_;
    if (x > 0 && scale * (above - weighed) <= allowed) continue;
    if (i + 1 == mass_.size()) return std::numeric_limits<double>::infinity();
    const double next = x + width_;
    const double ratio =
        (next_above - allowed * std::exp(tilt_ * next - log_all_)) / next_weighed;  // e^(answer - next)
    return std::clamp(ratio > 0 ? next + std::log(ratio) : 0, std::max(x, 0.0), std::max(next, 0.0));
  }
  return std::max(0.0, at(0));
}

double LossComposition::delta(double epsilon) const {
  double sum = 0;
  for (std::size_t i = mass_.size(); i-- > 0 && at(i) > epsilon;) {
    sum += mass_[i] * std::exp(-tilt_ * (at(i) - epsilon)) * -std::expm1(epsilon - at(i));
  }
  return std::min(1.0, std::exp(log_all_ - tilt_ * epsilon) * (sum + error_) + infinite_);
}

}  // namespace tacit::gnn
