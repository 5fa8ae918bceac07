// leakage_units — the leakage of lattice answers (lattice/leakage.h) in whole units, so that sums are exact, and the sum of a plan
// equals the sum of its run.
//
// Sums and multiples end at the largest number: the plan of a huge job does not wrap.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace tacit::mpc {

inline constexpr int kLeakageUnit = -90;  // the exponent: a unit is 2^-90

// 2^-40: the bound of a session, and of all epochs of a training together. For one party's answers to all others.
inline constexpr std::int64_t kMostLeakage = std::int64_t{1} << (-40 - kLeakageUnit);

// For counts: a result that does not fit is the largest number.
constexpr std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}
constexpr std::int64_t capped_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

// Rounded up.
inline std::int64_t leakage_units(double leakage) {
  const double units = std::ceil(std::ldexp(leakage, -kLeakageUnit));
  return units < 0x1p63 ? static_cast<std::int64_t>(units) : std::numeric_limits<std::int64_t>::max();
}

// The exponent of two: -45.6 stands for 2^-45.6. -infinity for no leakage.
inline double log2_of_leakage(std::int64_t units) { return std::log2(static_cast<double>(units)) + kLeakageUnit; }

}  // namespace tacit::mpc
