// Mechanism — a number of equal steps, each the Gaussian mechanism on a Poisson sample: every record takes part in a
// step with probability `rate`, independently of all others, and the sum over the records gets Gaussian noise.
//
// Neighbouring data sets differ in one record, which an empty one replaces; sizes are public.
//
// An observer may see the sample (`sample_seen`). Let b_t be 1 if step t takes the record, and 0 otherwise. The bits b_t are
// independent of each other and of the data, because they depend on a seed and on the number of rows alone. Let k be their sum.
// For given bits, the observer has the results of k Gaussian steps, for which delta(epsilon) is delta_k(epsilon). Averaged over
// the bits, delta(epsilon) is E[delta_k(epsilon)] with k ~ Bin(T, rate), and one event reaches this number. Therefore the loss
// of a step is 0 with probability 1 - rate, and the loss of a Gaussian step otherwise, in both directions. Such a sample does
// not amplify: in a step that takes the record, the observer compares two Gaussians and no mixture of them.
//
// The noise may be the discrete Gaussian on whole numbers of a unit, cut at 12 deviations. Beside the Gaussian, rounded to
// the unit, the log of its probability of k is greater by at most 1/(24 s^2) and less by at most k^2/(24 s^4) <= 6/s^2, for
// the deviation s in units. A step of d coordinates therefore has a loss that is at most 6.05 d / s^2 greater, and its
// probabilities grow by that factor at most. The accountant adds the loss to epsilon, if `grid` states it, but leaves out the
// cut: for each draw (1 + e^epsilon) * 4e-33 of delta.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tacit::gnn {

struct Mechanism {
  double noise = 0;  // standard deviation divided by the sensitivity, the largest contribution of one record
  double rate = 1;   // 1: every record takes part in every step
  std::int64_t steps = 0;
  double failure = 0;        // probability that a step differs from this description; every step adds it to delta
  double grid = 0;           // 6.05 d / u^2, for the sensitivity u in units of the grid; 0: the noise is continuous
  bool sample_seen = false;  // the observer sees which records each step takes

  // The loss that the grid adds to a step.
  double loss_of_grid() const;
};

// The constant of `grid` for a step of `coordinates` coordinates and a sensitivity of `units` units.
double grid_of(double coordinates, double units);

// The largest `grid`: of a step over records, and of noisy sums over edges. With these limits, an account need not keep the
// grid.
inline constexpr double kMostGridOfRecords = 1e-11, kMostGridOfEdges = 1e-4;
// On shares, the deviation of the noise grows with the grid: all coordinates of a step add at most this loss, with any noise.
inline constexpr double kLeastLossOfGrid = 2e-15;

// The limits of the accountant, which also takes noise of 0: then epsilon is infinite.
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
