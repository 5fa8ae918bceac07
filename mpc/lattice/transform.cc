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

// A number whose N-th power is -1.
std::uint64_t root_of(const Prime& prime) {
  for (std::uint64_t base = 2;; ++base) {
    const std::uint64_t root = prime.public_power(base, (prime.value() - 1) / (2 * kDegree));
    if (prime.public_power(root, kDegree) == prime.value() - 1) return root;
  }
}

std::vector<Factor> powers(const Prime& prime, std::uint64_t root) {
  std::vector<Factor> out(kDegree);
  std::uint64_t power = 1;
  for (std::int64_t i = 0; i < kDegree; ++i, power = prime.public_product(power, root)) {
    out[static_cast<std::size_t>(reversed(i))] = prime.factor(power);
  }
  return out;
}

}  // namespace

Transform::Transform(const Prime& prime) : prime_(prime) {
  TACIT_CHECK((prime.value() - 1) % (2 * kDegree) == 0);
  const std::uint64_t root = root_of(prime);
  roots_ = powers(prime, root);
  inverse_roots_ = powers(prime, prime.public_inverse(root));
}

void Transform::forward(std::uint64_t* words, std::int64_t length) const {
  const std::uint64_t p = prime_.value(), twice = 2 * p;
  // While the second half of a block is zero, a butterfly copies the first half.
  std::int64_t half = kDegree / 2, blocks = 1;
  for (; half > 0 && half >= length; half /= 2) blocks *= 2;
  const std::int64_t size = kDegree / blocks;
  for (std::int64_t block = 1; block < blocks; ++block) std::copy_n(words, size, words + block * size);
  for (; half > 0; half /= 2, blocks *= 2) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Factor root = roots_[static_cast<std::size_t>(blocks + block)];
      std::uint64_t* const low = words + block * 2 * half;
      std::uint64_t* const high = low + half;
      for (std::int64_t i = 0; i < half; ++i) {
        const std::uint64_t x = less(low[i], twice), y = root.times(high[i], p);
        low[i] = x + y;
        high[i] = x + twice - y;
      }
    }
  }
}

void Transform::backward(std::uint64_t* words, const Factor& scale) const {
  const std::uint64_t p = prime_.value(), twice = 2 * p;
  for (std::int64_t half = 1, blocks = kDegree / 2; blocks > 0; half *= 2, blocks /= 2) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Factor root = inverse_roots_[static_cast<std::size_t>(blocks + block)];
      std::uint64_t* const low = words + block * 2 * half;
      std::uint64_t* const high = low + half;
      for (std::int64_t i = 0; i < half; ++i) {
        const std::uint64_t x = low[i], y = high[i];
        low[i] = less(x + y, twice);
        high[i] = root.times(x + twice - y, p);
      }
    }
  }
  for (std::int64_t i = 0; i < kDegree; ++i) words[i] = less(scale.times(words[i], p), p);
}

}  // namespace tacit::mpc::lattice
