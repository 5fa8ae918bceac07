#include "gnn/privacy/mechanism.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"

namespace tacit::gnn {

double Mechanism::loss_of_grid() const { return grid == 0 ? 0 : kLeastLossOfGrid + grid / (noise * noise); }

double grid_of(double coordinates, double units) { return 6.05 * coordinates / (units * units); }

void check_mechanism(const Mechanism& mechanism) {
  const auto require = [](bool holds, const char* what, double value, double least, double most) {
    if (holds) return;
    throw ConfigError(fmt::format("{} {:g} is outside the limits of the privacy accountant: expected {:g} to {:g}",
                                  what, value, least, most));
  };
  const double steps = static_cast<double>(mechanism.steps);
  require(mechanism.noise == 0 || (mechanism.noise >= kLeastNoise && mechanism.noise <= kMostNoise), "noise",
          mechanism.noise, kLeastNoise, kMostNoise);
  require(mechanism.rate >= kLeastRate && mechanism.rate <= 1, "rate", mechanism.rate, kLeastRate, 1);
  require(mechanism.steps >= 0 && mechanism.steps <= kMostSteps, "number of steps", steps, 0, kMostSteps);
  require(mechanism.failure >= 0 && mechanism.failure < 1, "probability of a failure", mechanism.failure, 0, 1);
}

void check_delta(double delta) {
  if (delta >= kLeastDelta && delta < 1) return;
  throw ConfigError(
      fmt::format("delta {:g} is no usable probability: expected at least {:g}, and less than one divided by "
                  "the number of rows",
                  delta, kLeastDelta));
}

std::vector<Mechanism> merged(std::span<const Mechanism> mechanisms) {
  std::vector<Mechanism> all;
  for (const Mechanism& one : mechanisms) {
    if (one.steps == 0) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const Mechanism& other) {
      return other.noise == one.noise && other.rate == one.rate && other.failure == one.failure &&
             other.grid == one.grid && other.sample_seen == one.sample_seen;
    });
    if (same == all.end()) {
      all.push_back(one);
    } else {
      same->steps += one.steps;
    }
  }
  return all;
}

}  // namespace tacit::gnn
