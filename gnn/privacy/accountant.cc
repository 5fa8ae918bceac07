#include "gnn/privacy/accountant.h"

#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "gnn/privacy/privacy_loss.h"
#include "gnn/privacy/renyi.h"

namespace tacit::gnn {

namespace {

// The epsilon of the earlier mechanisms and this one.
double spent_with(const Mechanism& mechanism, const Allowance& allowance, LossBound precision) {
  std::vector<Mechanism> all = allowance.before;
  all.push_back(mechanism);
  return std::min(epsilon_by_loss(all, allowance.delta, precision), epsilon_by_renyi(all, allowance.delta));
}

struct End {
  double at = 0, epsilon = 0;
};

// The interval between a value that fits the target and a value that exceeds it. Epsilon is close to a power of the noise
// and of the number of steps. Therefore the secant on logarithmic scales gives the next value, and the middle gives every
// third one.
struct SearchRange {
  End fits, too_much;
  double target = 0;
  int turn = 0;

  template <typename Ask>
  void narrow(const Ask& ask, double at) {
    const End end = {at, ask(at)};
    (end.epsilon <= target ? fits : too_much) = end;
  }
  double next() {
    const auto log_of = [](double epsilon) { return std::log(std::clamp(epsilon, 1e-9, 1e9)); };
    const double part = (log_of(target) - log_of(fits.epsilon)) / (log_of(too_much.epsilon) - log_of(fits.epsilon));
    const bool secant = ++turn % 3 != 0 && std::isfinite(part);
    return fits.at * std::pow(too_much.at / fits.at, secant ? std::clamp(part, 0.02, 0.98) : 0.5);
  }
};

}  // namespace

Epsilon epsilon_of(std::span<const Mechanism> mechanisms, double delta) {
  return {epsilon_by_loss(mechanisms, delta), epsilon_by_renyi(mechanisms, delta)};
}

namespace {

// A search with rough bounds first. Rough bounds are upper bounds, so noise that fits a rough bound also fits a fine one.
double search_noise(Mechanism mechanism, const Allowance& allowance) {
  const auto ask = [&](LossBound precision) {
    return [&mechanism, &allowance, precision](double noise) {
      mechanism.noise = noise;
      return spent_with(mechanism, allowance, precision);
    };
  };
  const auto rough = ask(LossBound::kRough), fine = ask(LossBound::kFine);
  SearchRange interval;
  interval.target = allowance.epsilon;
  double at = std::clamp(mechanism.noise > 0 ? mechanism.noise : 1, kLeastNoise, kMostNoise);
  for (interval.narrow(rough, at); interval.fits.at == 0; interval.narrow(rough, at)) {
    if (at == kMostNoise) return std::numeric_limits<double>::infinity();
    at = std::min(4 * at, kMostNoise);
  }
  while (interval.too_much.at == 0) {
    if (at == kLeastNoise) return kLeastNoise;
    interval.narrow(rough, at = std::max(at / 4, kLeastNoise));
  }
  while (interval.fits.at > 1.005 * interval.too_much.at) interval.narrow(rough, interval.next());
  interval.too_much.at = 0;
  for (at = interval.fits.at; interval.too_much.at == 0 && at > kLeastNoise;) {
    interval.narrow(fine, at = std::max(at / 1.01, kLeastNoise));
  }
  while (interval.fits.at > 1.001 * std::max(interval.too_much.at, kLeastNoise)) interval.narrow(fine, interval.next());
  return interval.fits.at;
}

}  // namespace

// A search takes up to a second, and the plans of one job ask for the same noise many times.
double noise_that_fits(Mechanism mechanism, const Allowance& allowance) {
  if (!allowance.before.empty()) return search_noise(mechanism, allowance);
  static std::mutex mutex;
  static std::map<std::array<double, 8>, double> known;
  const std::array<double, 8> asked{mechanism.noise,   mechanism.rate, static_cast<double>(mechanism.steps),
                                    mechanism.failure, mechanism.grid, mechanism.sample_seen ? 1. : 0.,
                                    allowance.epsilon, allowance.delta};
  const std::lock_guard lock(mutex);
  if (const auto at = known.find(asked); at != known.end()) return at->second;
  if (known.size() == 100) known.clear();
  return known[asked] = search_noise(mechanism, allowance);
}

std::int64_t steps_that_fit(Mechanism mechanism, const Allowance& allowance, std::int64_t multiple) {
  const double most = static_cast<double>(mechanism.steps / multiple);
  const auto ask = [&](LossBound precision) {
    return [&mechanism, &allowance, precision, multiple](double times) {
      mechanism.steps = std::llround(times) * multiple;
      return spent_with(mechanism, allowance, precision);
    };
  };
  const auto fine = ask(LossBound::kFine);
  if (most < 1 || fine(1) > allowance.epsilon) return 0;
  SearchRange interval = {{1, fine(1)}, {most, fine(most)}, allowance.epsilon};
  if (interval.too_much.epsilon <= allowance.epsilon) return std::llround(most) * multiple;
  const End known = interval.too_much;
  const auto narrow = [&](LossBound precision) {
    while (interval.too_much.at > interval.fits.at + 1) {
      if (precision == LossBound::kRough && interval.too_much.at < 1.005 * interval.fits.at) return;
      const double at = std::round(interval.next());
      interval.narrow(ask(precision), std::clamp(at, interval.fits.at + 1, interval.too_much.at - 1));
    }
  };
  narrow(LossBound::kRough);
  interval.too_much = known;
  for (double more = interval.fits.at; interval.too_much.at == known.at;) {
    more = std::ceil(1.01 * more);
    if (more >= known.at) break;
    interval.narrow(fine, more);
  }
  narrow(LossBound::kFine);
  return std::llround(interval.fits.at) * multiple;
}

}  // namespace tacit::gnn
