#include "mpc/functions/scaled_moments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/lifted_multiple.h"
#include "mpc/protocols/lifted_polynomial.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

// Fraction bits. Rounding of the root adds up over the steps that a mean of squares remembers, so the root has most.
constexpr int kRootBits = 25, kRestBits = 14, kMeanBits = 8, kQuotientBits = 10;
constexpr int kSeenRootBits = 20, kFloorBits = 4, kScaledBits = 8, kSquaredBits = 5, kSeenRestBits = 9;
constexpr int kRoom = 2;       // the bits that a shown value needs above its magnitude
constexpr int kIgnored = 7;    // bits of y that its clamp ignores: half a root
constexpr int kPartBits = 8;   // bits of the least kappa
constexpr int kMantissa = 10;  // bits of epsilon
constexpr int kMostMeanBits = 12;

int bits_of(double most) { return std::max(static_cast<int>(std::ceil(std::log2(most))), 1); }

// Y
double clamp_of(double part) { return 1 / std::sqrt(part); }
double largest_clamp(const MomentRules& rules) { return 1.05 * clamp_of(1 - rules.beta2); }

constexpr Format kSeenRoot{kSeenRootBits + 1 + kRoom, kSeenRootBits};
constexpr Format kFloor{kFloorBits + 1 + kRoom, kFloorBits};
constexpr Format kSeenRest{kSeenRestBits + 2 + kRoom, kSeenRestBits};

// y, before it is clamped.
Format scaled_format(const MomentRules& rules) {
  constexpr double kAboveOne = 1.02;  // a root may be above its true value by its rounding
  const double most = kAboveOne * rules.largest / rules.epsilon + largest_clamp(rules);
  return {kScaledBits + bits_of(most) + kRoom, kScaledBits};
}

Format squared_format(const MomentRules& rules) {
  return {kSquaredBits + bits_of(largest_clamp(rules)) + kRoom, kSquaredBits};
}

// number = mantissa · 2^-shift, the mantissa odd or zero.
struct Scaled {
  std::int64_t mantissa;
  int shift;
};

Scaled scaled(double number, int bits) {
  int shift = bits - 1 - std::ilogb(number);
  auto mantissa = static_cast<std::int64_t>(std::llround(std::ldexp(number, shift)));
  while (mantissa % 2 == 0) mantissa /= 2, --shift;
  return {mantissa, shift};
}

// kappa. The shift is the same for every step and the mantissa is odd, so that every step costs the same.
Scaled part_of(const MomentRules& rules, std::int64_t step) {
  const int shift = kPartBits - 1 - std::ilogb(1 - rules.beta2);
  const double half = std::ldexp(rules.part(step), shift - 1);
  return {2 * static_cast<std::int64_t>(std::floor(half)) + 1, shift};
}

Share rounded(Session& session, const Share& exact, Format to) {
  TACIT_CHECK(exact.ring_bits() - exact.fraction_bits() >= to.ring_bits - to.fraction_bits);
  return narrow(drop(session, exact, exact.fraction_bits() - to.fraction_bits), to.ring_bits);
}

// A ring that leaves `to` after a drop.
Format exact_format(int fraction_bits, Format to) {
  return {to.ring_bits + fraction_bits - to.fraction_bits, fraction_bits};
}

struct Clamping {
  Shown y;
  std::int64_t at;  // Y, in units
};

// The bits y >= Y and y >= -Y. As the comparisons ignore low bits, the threshold of the second one is raised, so that its bit
// is not set for any y <= -Y. Two rounds.
std::vector<Bits> compared(Session& session, std::span<const Clamping> all) {
  std::vector<Comparison> comparisons;
  for (const Clamping& one : all) {
    const int hi = one.y.ring_bits() - 1;
    comparisons.push_back({one.y, hi, one.at, kIgnored});
    comparisons.push_back({one.y, hi, -one.at + (std::int64_t{1} << kIgnored), kIgnored});
  }
  return non_negative(session, comparisons);
}

Share clamped(Session& session, const Clamping& one, const Bits& above, const Bits& not_below, int ring_bits) {
  const Share inside = select(session, not_below, one.y, ring_bits) - select(session, above, one.y, ring_bits);
  const Share ends = indicator(session, above, ring_bits) + indicator(session, not_below, ring_bits);
  return add_public_units(session, inside + scale(ends, one.at, kScaledBits), -one.at);
}

}  // namespace

bool MomentRules::possible() const {
  constexpr double kLargestPart = 0.05;
  constexpr double kLeastPart = 1e-6;
  if (1 - beta2 > kLargestPart || 1 - beta2 < kLeastPart || beta1 * beta1 >= beta2) return false;
  return bits_of(largest_mean()) <= kMostMeanBits;
}

double MomentRules::part(std::int64_t step) const {
  return (1 - beta2) / (1 - std::pow(beta2, static_cast<double>(step)));
}

std::int64_t MomentRules::first_step() const {
  std::int64_t step = 1;
  while (part(step) > kMostPart) ++step;
  return step;
}

// (sum of beta1^i |g_i|)² <= (sum of kappa beta2^i g_i²)·(sum of beta1^2i / (kappa beta2^i)). Before Newton's step, n + y is larger
// by sqrt w.
double MomentRules::largest_mean() const {
  constexpr double kBeforeTheStep = 1.5;
  return kBeforeTheStep / std::sqrt((1 - beta2) * (1 - beta1 * beta1 / beta2));
}

Format MomentRules::root() const { return {kRootBits + 1 + kRoom, kRootBits}; }
Format MomentRules::mean() const { return {kMeanBits + bits_of(largest_mean()) + kRoom, kMeanBits}; }
Format MomentRules::rest() const { return {kRestBits + 2 + kRoom, kRestBits}; }
Format MomentRules::quotient() const { return {kQuotientBits + bits_of(largest_mean()) + kRoom, kQuotientBits}; }

ScaledMoments begin_moments(Session& session, const MomentRules& rules, const Share& inverse_root, const Share& mean) {
  const Scaled epsilon = scaled(rules.epsilon, kMantissa);
  // Appends fraction bits where epsilon has none: the product is 2^shift times as fine.
  const std::int64_t whole = epsilon.shift >= 0 ? epsilon.mantissa : epsilon.mantissa << -epsilon.shift;
  const Share zeta = scale(inverse_root, whole, std::max(epsilon.shift, 0));
  const Format root = rules.root();
  const Share fine = zeta.fraction_bits() < root.fraction_bits ? refine(zeta, root.fraction_bits) : zeta;
  const Share zeros = drop(session, fine - fine, fine.fraction_bits() - kRestBits);
  return {rounded(session, fine, root), rounded(session, mean, rules.mean()),
          add_public(session, narrow(zeros, rules.rest().ring_bits), 1)};
}

std::vector<Share> to_open(Session& session, std::span<const ScaledMoments> moments) {
  std::vector<Share> all;
  for (const ScaledMoments& one : moments) {
    all.push_back(rounded(session, one.root, kSeenRoot));
    all.push_back(rounded(session, one.root, kFloor));
  }
  return all;
}

MovedMoments move_moments(Session& session, const MomentRules& rules, std::int64_t step,
                          std::span<const Shown> gradients, std::span<const Shown> opened,
                          std::span<ScaledMoments> moments) {
  TACIT_CHECK(rules.possible() && step >= rules.first_step());
  const std::size_t count = moments.size();
  TACIT_CHECK(gradients.size() == count && opened.size() == 2 * count);
  const auto root_of = [&](std::size_t i) -> const Shown& { return opened[2 * i]; };
  MovedMoments moved;

  std::vector<Share> shares;
  for (std::size_t i = 0; i < count; ++i) {
    const Shown& g = gradients[i];
    const Scaled inverse = scaled(1 / rules.epsilon, kMantissa);
    const Format exact = exact_format(g.fraction_bits() + kSeenRootBits + inverse.shift, scaled_format(rules));
    const std::array polynomials{Polynomial{{{inverse.mantissa, {0, 1}}}, exact},
                                 Polynomial{{{1, {0}}}, {exact.ring_bits, g.fraction_bits()}}};
    std::vector<Share> made = lifted_polynomials(session, std::array{g, root_of(i)}, polynomials);
    shares.push_back(rounded(session, made[0], scaled_format(rules)));
    moved.gradients.push_back(std::move(made[1]));
  }
  const std::vector<Shown> scaled_gradients = show(session, shares);

  const double part = rules.part(step);
  const auto at = static_cast<std::int64_t>(std::llround(std::ldexp(clamp_of(part), kScaledBits)));
  std::vector<Clamping> clampings;
  for (const Shown& y : scaled_gradients) clampings.push_back({y, at});
  const std::vector<Bits> bits = compared(session, clampings);
  std::vector<Share> ys, coarse;
  for (std::size_t i = 0; i < count; ++i) {
    ys.push_back(clamped(session, clampings[i], bits[2 * i], bits[2 * i + 1], rules.mean().ring_bits));
    coarse.push_back(rounded(session, ys.back(), squared_format(rules)));
  }
  const std::vector<Shown> squared = show(session, coarse);

  const Scaled kappa = part_of(rules, step);
  constexpr int kAlign = 2 * (kSquaredBits - kFloorBits);
  const Format exact_rest = exact_format(2 * kSquaredBits + kappa.shift, rules.rest());
  // The squares of rounded y and zeta are larger by the variance of a drop, parties/12 units².
  const double variance = std::max(session.parties(), 2) / 12.0;
  const double known = 1 + variance * (std::ldexp(1, -2 * kSquaredBits) + std::ldexp(1, -2 * kFloorBits));
  const std::int64_t less = std::llround(known * std::ldexp(static_cast<double>(kappa.mantissa), 2 * kSquaredBits));
  const Polynomial increment{{{kappa.mantissa, {0, 0}}, {kappa.mantissa << kAlign, {1, 1}}, {-less, {}}}, exact_rest};
  std::vector<Share> rests, to_show;
  for (std::size_t i = 0; i < count; ++i) {
    const std::array factors{squared[i], opened[2 * i + 1]};
    const Share exact = lifted_polynomials(session, factors, std::span(&increment, 1)).front();
    rests.push_back(moments[i].rest + rounded(session, exact, rules.rest()));
    to_show.push_back(rounded(session, rests.back(), kSeenRest));
    to_show.push_back(moments[i].mean + ys[i]);
  }
  const std::vector<Shown> shown = show(session, to_show);

  // With W = w in units: p = (3·2^9 - W) / 2^10, zeta·(p - 1), n·p, and w·p² - w.
  constexpr std::int64_t kOne = std::int64_t{1} << kSeenRestBits;
  const Format root_exact = exact_format(kSeenRootBits + kSeenRestBits + 1, rules.root());
  const Format quotient_exact = exact_format(kMeanBits + kSeenRestBits + 1, rules.quotient());
  const Format rest_exact = exact_format(3 * kSeenRestBits + 2, rules.rest());
  const std::array newton{Polynomial{{{kOne, {1}}, {-1, {0, 1}}}, root_exact},
                          Polynomial{{{3 * kOne, {2}}, {-1, {0, 2}}}, quotient_exact},
                          Polynomial{{{5 * kOne * kOne, {0}}, {-6 * kOne, {0, 0}}, {1, {0, 0, 0}}}, rest_exact}};
  std::vector<Share> quotients;
  for (std::size_t i = 0; i < count; ++i) {
    const std::array factors{shown[2 * i], root_of(i), shown[2 * i + 1]};
    const std::vector<Share> made = lifted_polynomials(session, factors, newton);
    moments[i].root = moments[i].root + rounded(session, made[0], rules.root());
    quotients.push_back(rounded(session, made[1], rules.quotient()));
    moments[i].rest = rests[i] + rounded(session, made[2], rules.rest());
  }

  moved.quotients = show(session, quotients);
  for (std::size_t i = 0; i < count; ++i) {
    const Shown& n = moved.quotients[i];
    const int shift = n.ring_bits();
    const std::int64_t mantissa = std::llround(std::ldexp(rules.beta1, shift + kMeanBits - kQuotientBits));
    const Share kept = lifted_multiple(session, n, {mantissa, shift}, {n.ring_bits(), kMeanBits});
    moments[i].mean = narrow(kept, rules.mean().ring_bits);
  }
  return moved;
}

}  // namespace tacit::mpc
