#include "gnn/privacy/renyi.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tacit::gnn {

namespace {

double log_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

// log of the sum over k of C(order, k) (1-q)^(order-k) q^k e^((k^2-k) / (2 noise^2)).
double log_moment_of_whole_order(const Mechanism& step, int order) {
  const double out = std::log1p(-step.rate), in = std::log(step.rate);
  double log_binomial = 0, sum = -std::numeric_limits<double>::infinity();
  for (int k = 0; k <= order; ++k) {
    if (k > 0) log_binomial += std::log(static_cast<double>(order - k + 1) / k);
    const double gain = 0.5 * k * (k - 1.0) / (step.noise * step.noise);
    sum = log_sum(sum, log_binomial + (order - k) * out + k * in + gain);
  }
  return sum;
}

// log of the integral of N(0,1) * (1 - q + q e^(z / noise - 1 / (2 noise^2)))^order, by the trapezoidal rule: its error
// falls exponentially, and is below 2^-60 with these points.
double log_moment_between(const Mechanism& step, double order) {
  const double width = 0.1 * std::min(1.0, step.noise), shift = 1 / step.noise;
  const double out = std::log1p(-step.rate), in = std::log(step.rate);
  const auto log_term = [&](double z) { return order * log_sum(out, in + shift * z - shift * shift / 2) - z * z / 2; };
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (double z = -12; z < 12 + order * shift; z += width) top = std::max(top, log_term(z));
  for (double z = -12; z < 12 + order * shift; z += width) sum += std::exp(log_term(z) - top);
  return top + std::log(sum * width / std::sqrt(2 * std::numbers::pi));
}

}  // namespace

double renyi_divergence(const Mechanism& step, double order) {
  if (step.noise == 0) return std::numeric_limits<double>::infinity();
  if (step.rate == 1) return order / (2 * step.noise * step.noise);
  if (step.sample_seen) {
    const double taken = std::log(step.rate) + 0.5 * order * (order - 1) / (step.noise * step.noise);
    return log_sum(std::log1p(-step.rate), taken) / (order - 1);
  }
  if (order == std::floor(order)) return log_moment_of_whole_order(step, static_cast<int>(order)) / (order - 1);
  return (log_moment_between(step, order) + order * step.loss_of_grid()) / (order - 1);
}

std::span<const double> renyi_orders() {
  static const std::vector<double> orders = [] {
    std::vector<double> all;
    for (int i = 1; i < 100; ++i) all.push_back(1 + i / 10.0);
    for (int i = 11; i < 64; ++i) all.push_back(i);
    for (const int more : {80, 96, 128, 192, 256, 384, 512}) all.push_back(more);
    return all;
  }();
  return orders;
}

double epsilon_by_renyi(std::span<const Mechanism> given, double delta, std::span<const double> orders) {
  const std::vector<Mechanism> mechanisms = merged(given);
  if (mechanisms.empty()) return 0;
  double rest = delta;
  for (const Mechanism& one : mechanisms) rest -= static_cast<double>(one.steps) * one.failure;
  double least = std::numeric_limits<double>::infinity();
  if (rest <= 0) return least;
  for (const double order : orders) {
    double divergence = 0;
    for (const Mechanism& one : mechanisms) divergence += static_cast<double>(one.steps) * renyi_divergence(one, order);
    least = std::min(least, divergence + std::log1p(-1 / order) - std::log(rest * order) / (order - 1));
  }
  return std::max(0.0, least);
}

}  // namespace tacit::gnn
