// Mechanism — a number of equal steps, each the Gaussian mechanism on a Poisson sample: every record takes part in a
// step with probability `rate`, independently of all others, and the sum over the records gets Gaussian noise.
//
// Neighbouring data sets differ in one record, which an empty one replaces; sizes are public. The noise may be the discrete
// Gaussian on a grid: for each step and coordinate, this adds up to (1 + e^epsilon) * 0.0202 / noise^2 to delta, with the
// noise in units of the grid. A training on shares chooses grids so fine that all coordinates of a step add 5e-18 at most
// (train/private_gradients.cc), and epsilon leaves that out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tacit::gnn {

struct Mechanism {
  double noise = 0;  // standard deviation divided by the sensitivity, the largest contribution of one record
  double rate = 1;   // 1: every record takes part in every step
  std::int64_t steps = 0;
  double failure = 0;  // probability that a step differs from this description; every step adds it to delta
};

// The limits of the accountant. It also takes noise of 0, which makes epsilon infinite.
inline constexpr double kLeastNoise = 0.05, kMostNoise = 1e6;
inline constexpr double kLeastRate = 1e-9;
inline constexpr std::int64_t kMostSteps = 10'000'000'000;
inline constexpr double kLeastDelta = 1e-30;

// Both throw ConfigError for a number outside the limits.
void check_mechanism(const Mechanism& mechanism);
void check_delta(double delta);

// The same composition in fewer parts: the steps of equal mechanisms are added, and mechanisms without steps left out.
std::vector<Mechanism> merged(std::span<const Mechanism> mechanisms);

}  // namespace tacit::gnn
