// DiscreteGaussian — one step with noise from the discrete Gaussian on whole numbers, summed exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gnn/privacy/loss_moments.h"

namespace tacit::gnn {

struct DiscreteGaussian {
  double noise;  // standard deviation
  int shift;     // the contribution of the record
  int cut;       // the noise has no larger number
  double rate;

  // P(value) with the record and without it, for all values.
  std::vector<double> masses(bool with) const {
    std::vector<double> weights;
    double all = 0;
    for (int k = -cut; k <= cut; ++k) {
      weights.push_back(std::exp(-k * k / (2 * noise * noise)));
      all += weights.back();
    }
    std::vector<double> sums(weights.size() + static_cast<std::size_t>(shift), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sums[i] += (with ? 1 - rate : 1) * weights[i] / all;
      if (with) sums[i + static_cast<std::size_t>(shift)] += rate * weights[i] / all;
    }
    return sums;
  }

  double delta(Direction direction, double epsilon) const {
    const std::vector<double> p = masses(direction == Direction::kWith), q = masses(direction != Direction::kWith);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
    return sum;
  }

  double renyi(Direction direction, double order) const {
    const std::vector<double> p = masses(direction == Direction::kWith), q = masses(direction != Direction::kWith);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p[i] > 0 && q[i] > 0) sum += std::exp(order * std::log(p[i]) - (order - 1) * std::log(q[i]));
    }
    return std::log(sum) / (order - 1);
  }
};

}  // namespace tacit::gnn
