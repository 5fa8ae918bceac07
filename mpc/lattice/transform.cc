#include "mpc/lattice/transform.h"

#include <bit>

namespace tacit::mpc::lattice {

namespace {

constexpr int kLevels = std::countr_zero(static_cast<std::uint64_t>(kDegree));
static_assert(kDegree == std::int64_t{1} << kLevels);

std::int64_t reversed(std::int64_t i) {
  std::int64_t out = 0;
  for (int bit = 0; bit < kLevels; ++bit) out |= (i >> bit & 1) << (kLevels - 1 - bit);
  return out;
}

// A 2N-th root of 1: its N-th power is -1.
std::uint64_t root_of(const Prime& prime) {
  for (std::uint64_t base = 2;; ++base) {
    const std::uint64_t root = prime.public_power(base, (prime.value() - 1) / (2 * kDegree));
    if (prime.public_power(root, kDegree) == prime.value() - 1) return root;
  }
}

Roots powers(const Prime& prime, std::uint64_t root) {
  Roots out{std::vector<std::uint64_t>(kDegree), std::vector<std::uint64_t>(kDegree)};
  std::uint64_t power = 1;
  for (std::int64_t i = 0; i < kDegree; ++i, power = prime.public_product(power, root)) {
    const Factor factor = prime.factor(power);
    out.value[static_cast<std::size_t>(reversed(i))] = factor.value;
    out.quotient[static_cast<std::size_t>(reversed(i))] = factor.quotient;
  }
  return out;
}

}  // namespace

Transform::Transform(const Prime& prime, Instructions instructions)
    : prime_(prime), loops_(residue_loops(instructions)) {
  TACIT_CHECK((prime.value() - 1) % (2 * kDegree) == 0);
  const std::uint64_t root = root_of(prime);
  roots_ = powers(prime, root);
  inverse_roots_ = powers(prime, prime.public_inverse(root));
}

}  // namespace tacit::mpc::lattice
