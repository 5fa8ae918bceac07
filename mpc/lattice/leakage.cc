#include "mpc/lattice/leakage.h"

#include <cmath>
#include <numbers>

#include "mpc/lattice/answer.h"

namespace tacit::mpc::lattice {

double noise_deviation(int k, std::int64_t terms) {
  return std::ldexp(kErrorDeviation * std::sqrt(static_cast<double>(terms) / 12), k);
}

double hint_leakage(int k, std::int64_t terms, int modulus_bits) {
  return std::ldexp(noise_deviation(k, terms) * std::sqrt(2 / std::numbers::pi), k + kHint - modulus_bits);
}

}  // namespace tacit::mpc::lattice
