#include "mpc/random/discrete_gaussian.h"

#include <cmath>

namespace tacit::mpc {

namespace {

// The square root of `square`, rounded down to a whole number. `square` is below 2^62.
std::int64_t whole_root(std::int64_t square) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

// True with probability e^(-a/b), for 0 <= a <= b. The number of draws exceeds k with a probability below 1/k!, so b·k
// needs only a few bits more than b.
bool bernoulli_of_fraction(UniformWords& random, DoubleWord a, DoubleWord b) {
  DoubleWord limit = b;
  bool odd = true;
  for (; random.below(limit) < a; limit += b) odd = !odd;
  return odd;
}

// The same for every a >= 0.
bool bernoulli(UniformWords& random, DoubleWord a, DoubleWord b) {
  for (; a > b; a -= b) {
    if (!bernoulli_of_fraction(random, 1, 1)) return false;
  }
  return bernoulli_of_fraction(random, a, b);
}

}  // namespace

DiscreteGaussian DiscreteGaussian::of_sigma(std::int64_t sigma) {
  TACIT_CHECK(sigma >= 1 && sigma <= kMostSigma);
  const auto s = static_cast<DoubleWord>(sigma);
  return {sigma, kCut * sigma, 1, s, 2 * s * s};
}

DiscreteGaussian DiscreteGaussian::of_variance(std::int64_t variance) {
  TACIT_CHECK(variance >= 1 && variance <= kMostVariance);
  const std::int64_t root = whole_root(variance), width = root + 1;
  const auto v = static_cast<DoubleWord>(variance), t = static_cast<DoubleWord>(width);
  return {width, whole_root(kCut * kCut * variance), t, v, 2 * v * t * t};
}

std::int64_t DiscreteGaussian::draw(UniformWords& random) const {
  for (;;) {
    const auto u = static_cast<std::int64_t>(random.below(static_cast<DoubleWord>(width_)));
    if (!bernoulli(random, static_cast<DoubleWord>(u), static_cast<DoubleWord>(width_))) continue;
    std::int64_t x = u;
    while (x <= most_ && bernoulli_of_fraction(random, 1, 1)) x += width_;
    if (x > most_) continue;
    const bool negative = (random.next() & 1) != 0;
    if (negative && x == 0) continue;  // otherwise zero would come twice as often
    const DoubleWord at = factor_ * static_cast<DoubleWord>(x);
    const DoubleWord off = at > centre_ ? at - centre_ : centre_ - at;
    if (bernoulli(random, off * off, divisor_)) return negative ? -x : x;
  }
}

}  // namespace tacit::mpc
