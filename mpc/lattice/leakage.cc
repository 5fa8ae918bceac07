#include "mpc/lattice/leakage.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "mpc/lattice/answer.h"
#include "mpc/ot/leakage_units.h"
#include "net/error.h"

namespace tacit::mpc::lattice {

double noise_deviation(int k, std::int64_t terms) {
  return std::ldexp(kErrorDeviation * std::sqrt(static_cast<double>(terms) / 12), k);
}

double hint_leakage(int k, std::int64_t terms, int modulus_bits) {
  return std::ldexp(noise_deviation(k, terms) * std::sqrt(2 / std::numbers::pi), k + kHint - modulus_bits);
}

void expect_bounded_leakage(std::int64_t so_far, std::int64_t more) {
  if (capped_sum(so_far, more) <= kMostLeakage) return;
  throw ConfigError(
      fmt::format("the next product of matrices would raise what this session tells about the parties' masks from "
                  "2^{:.1f} to 2^{:.1f}, beyond the bound of 2^-40: end the training at its last checkpoint "
                  "(training.epochs), narrow the ring (ring.bits = 56 or 48), or take a dealer",
                  log2_of_leakage(so_far), log2_of_leakage(capped_sum(so_far, more))));
}

}  // namespace tacit::mpc::lattice
