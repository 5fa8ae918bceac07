#include "gnn/privacy/privacy_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "gnn/privacy/loss_composition.h"

namespace tacit::gnn {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::array<Direction, 2> kDirections = {Direction::kWith, Direction::kWithout};
constexpr double kTruncation = 1e-7;  // all truncations together, divided by delta
constexpr double kRounding = 1e-4;    // all rounding errors together, divided by delta: the aim of the tilt
constexpr double kMostCells = 1 << 22;

// Points of a grid for one standard deviation of a step's loss, and limits for the number of all points.
struct Fineness {
  double points;
  int least_bits, most_bits;
};
constexpr Fineness kCoarse = {4, 13, 17}, kFine = {32, 18, 20};

struct Grid {
  std::vector<SampledGaussian> steps;
  std::vector<LossPart> parts;  // on the grid, one for each of `steps`
  std::array<LossWindow, 2> windows;
  double width = 0;
  std::size_t size = 0;

  LossComposition composed(std::size_t i) const {
    return LossComposition(parts, kDirections[i], windows[i], width, size);
  }
};

double range_of(const SampledGaussian& step) { return step.loss(step.last()) - step.loss(step.first()); }

// A grid without parts, for a delta and an epsilon of each direction that are near the answer.
Grid frame_for(const std::vector<Mechanism>& mechanisms, const LossMoments& moments,
               const std::array<double, 2>& epsilons, double log_delta, const Fineness& fineness) {
  const double truncated = log_delta + std::log(kTruncation);
  const double worst = 5 * moments.steps() * LossComposition::rounding(std::size_t{1} << kFine.most_bits);
  Grid grid;
  double longest = 0;
  for (std::size_t i = 0; i < kDirections.size(); ++i) {
    const LossMoments::Choice end = moments.upper_end(kDirections[i], 0, truncated);
    const LossMoments::Choice tilt = moments.tail(kDirections[i], epsilons[i], log_delta + std::log(kRounding / worst));
    // A mass that wraps around the window is weighed with the tilt of its new place.
    const double wrapped = std::min(-5.0, truncated - tilt.value);
    const double begin = moments.lower_end(kDirections[i], tilt.at, wrapped).value;
    longest = std::max({longest, end.value - begin, moments.upper_end(kDirections[i], tilt.at, wrapped).value - begin});
    grid.windows[i] = {begin, tilt.at, end.at};
  }
  const double bits = std::ceil(std::log2(fineness.points * longest / moments.spread()));
  grid.size = std::size_t{1} << static_cast<int>(std::clamp<double>(bits, fineness.least_bits, fineness.most_bits));
  double range = 0;
  for (const Mechanism& one : mechanisms) {
    range = std::max(range, range_of(grid.steps.emplace_back(one, std::exp(truncated))));
  }
  grid.width = std::max(longest / static_cast<double>(grid.size - 4), range / kMostCells);
  return grid;
}

Grid grid_for(const std::vector<Mechanism>& mechanisms, const LossMoments& moments,
              const std::array<double, 2>& epsilons, double log_delta, const Fineness& fineness) {
  Grid grid = frame_for(mechanisms, moments, epsilons, log_delta, fineness);
  for (std::size_t i = 0; i < mechanisms.size(); ++i) {
    const Mechanism& one = mechanisms[i];
    grid.parts.push_back({step_loss(grid.steps[i], grid.width), static_cast<double>(one.steps), one.failure});
  }
  return grid;
}

// The first estimates, by Chernoff's bound.
std::array<double, 2> first_estimates(const LossMoments& moments, double delta) {
  std::array<double, 2> near{};
  for (std::size_t i = 0; i < near.size(); ++i) {
    near[i] = moments.upper_end(kDirections[i], 0, std::log(delta)).value;
  }
  return near;
}

bool without_noise(const std::vector<Mechanism>& mechanisms) {
  return std::any_of(mechanisms.begin(), mechanisms.end(), [](const Mechanism& one) { return one.noise == 0; });
}

// The loss that the grids of the noise add to all steps (mechanism.h).
double loss_of_grids(const std::vector<Mechanism>& mechanisms) {
  double sum = 0;
  for (const Mechanism& one : mechanisms) sum += static_cast<double>(one.steps) * one.loss_of_grid();
  return sum;
}

// Two coarse grids give estimates of epsilon for the tilt of the fine grid; Chernoff's bound, the first estimate, may be
// several times too large. On the fine grid, the direction with the larger coarse bound is first. The other direction is
// skipped if its coarse bound is already smaller.
double epsilon_of_continuous(const std::vector<Mechanism>& mechanisms, double delta, LossBound bound) {
  const LossMoments moments(mechanisms, delta * kTruncation);
  std::array<double, 2> near = first_estimates(moments, delta), bounds = {kInfinite, kInfinite};
  for (const Fineness& fineness : {kCoarse, kCoarse}) {
    const Grid grid = grid_for(mechanisms, moments, near, std::log(delta), fineness);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      bounds[i] = std::min(bounds[i], grid.composed(i).epsilon(delta));
      near[i] = std::min(near[i], bounds[i]);
    }
    if (bounds[0] == 0 && bounds[1] == 0) return 0;
  }
  if (bound == LossBound::kRough) return std::max(bounds[0], bounds[1]);
  const Grid grid = grid_for(mechanisms, moments, near, std::log(delta), kFine);
  const std::size_t first = bounds[0] >= bounds[1] ? 0 : 1, second = 1 - first;
  bounds[first] = std::min(bounds[first], grid.composed(first).epsilon(delta));
  if (bounds[second] > bounds[first]) bounds[second] = std::min(bounds[second], grid.composed(second).epsilon(delta));
  return std::max(bounds[0], bounds[1]);
}

// A fine bound takes a tenth of a second. A search for noise, the account and the ledger of one training ask for the same ones.
double known_epsilon(const std::vector<Mechanism>& mechanisms, double delta, LossBound bound) {
  constexpr std::size_t kMostKnown = 100;
  static std::mutex mutex;
  static std::map<std::vector<double>, double> known;
  std::vector<double> asked{delta, bound == LossBound::kFine ? 1. : 0.};
  for (const Mechanism& one : mechanisms) {
    asked.insert(asked.end(), {one.noise, one.rate, static_cast<double>(one.steps), one.failure, one.grid,
                               one.sample_seen ? 1. : 0.});
  }
  {
    const std::lock_guard lock(mutex);
    if (const auto at = known.find(asked); at != known.end()) return at->second;
  }
  const double epsilon = epsilon_of_continuous(mechanisms, delta, bound);
  const std::lock_guard lock(mutex);
  if (known.size() >= kMostKnown) known.clear();
  return known.emplace(std::move(asked), epsilon).first->second;
}

double delta_of_continuous(const std::vector<Mechanism>& mechanisms, double epsilon) {
  double log_delta = std::log(1e-16);
  for (int i = 0; i < 2; ++i) {  // Chernoff's bound is a few hundred times too large
    const LossMoments moments(mechanisms, std::exp(log_delta) * kTruncation);
    log_delta = std::log(kLeastDelta);
    for (const Direction direction : kDirections) {
      const double bound = moments.tail(direction, epsilon, -std::numeric_limits<double>::infinity()).value;
      log_delta = std::max(log_delta, bound - std::log(1e3));
    }
  }
  const LossMoments moments(mechanisms, std::exp(log_delta) * kTruncation);
  const Grid grid = grid_for(mechanisms, moments, {epsilon, epsilon}, log_delta, kFine);
  return std::max(grid.composed(0).delta(epsilon), grid.composed(1).delta(epsilon));
}

}  // namespace

double epsilon_by_loss(std::span<const Mechanism> given, double delta, LossBound bound) {
  const std::vector<Mechanism> mechanisms = merged(given);
  if (mechanisms.empty()) return 0;
  if (without_noise(mechanisms)) return kInfinite;
  const double more = loss_of_grids(mechanisms);
  return known_epsilon(mechanisms, delta * std::exp(-more), bound) + more;
}

double delta_by_loss(std::span<const Mechanism> given, double epsilon) {
  const std::vector<Mechanism> mechanisms = merged(given);
  if (mechanisms.empty()) return 0;
  if (without_noise(mechanisms)) return 1;
  const double more = loss_of_grids(mechanisms);
  if (epsilon < more) return 1;
  return std::min(1.0, delta_of_continuous(mechanisms, epsilon - more) * std::exp(more));
}

std::int64_t bytes_of_loss(std::span<const Mechanism> given, double delta) {
  constexpr double kBytesOfPoint = 72;  // a composition and its Fourier transform
  constexpr double kBytesOfCell = 8;    // the loss of a step, in one direction
  const std::vector<Mechanism> mechanisms = merged(given);
  if (mechanisms.empty() || without_noise(mechanisms)) return 0;
  const LossMoments moments(mechanisms, delta * kTruncation);
  const Grid grid = frame_for(mechanisms, moments, first_estimates(moments, delta), std::log(delta), kFine);
  double bytes = kBytesOfPoint * static_cast<double>(grid.size);
  for (const SampledGaussian& step : grid.steps) {
    bytes += kBytesOfCell * static_cast<double>(kDirections.size()) * range_of(step) / grid.width;
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace tacit::gnn
