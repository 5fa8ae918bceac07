// The accountant: the epsilon of a composition of mechanisms, and the noise or the number of steps for a given epsilon.
#pragma once

#include <algorithm>
#include <span>

#include "gnn/privacy/mechanism.h"

namespace tacit::gnn {

// Two upper bounds of the same epsilon: from the privacy loss distribution, and from Renyi divergences.
struct Epsilon {
  double by_loss = 0, by_renyi = 0;

  // The smaller one, which is an upper bound, too: neither depends on the data.
  double told() const { return std::min(by_loss, by_renyi); }
};
Epsilon epsilon_of(std::span<const Mechanism> mechanisms, double delta);

// A budget of epsilon and delta, and the mechanisms that were charged to it before.
struct Allowance {
  double epsilon = 0, delta = 0;
  std::vector<Mechanism> before = {};
};

// The least noise with which `mechanism` fits, to within 0.1 %. Infinite: no noise up to kMostNoise fits.
double noise_that_fits(Mechanism mechanism, const Allowance& allowance);

// The most steps up to `mechanism.steps` that fit, a multiple of `multiple`; or 0.
std::int64_t steps_that_fit(Mechanism mechanism, const Allowance& allowance, std::int64_t multiple = 1);

}  // namespace tacit::gnn
