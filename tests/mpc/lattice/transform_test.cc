// The transform multiplies polynomials modulo X^N + 1, for every prime and for the largest values.
#include "mpc/lattice/transform.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

namespace tacit::mpc::lattice {
namespace {

using testing::Each;
using testing::Le;

std::vector<std::uint64_t> every_prime() {
  std::vector<std::uint64_t> out(modulus(1).primes.begin(), modulus(1).primes.end());
  out.insert(out.end(), modulus(2).primes.begin(), modulus(2).primes.end());
  return out;
}

// Miller and Rabin, with bases that suffice for 64 bits.
bool is_prime(std::uint64_t n) {
  std::uint64_t odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  const Prime arithmetic(n);
  for (const std::uint64_t base : {2U, 3U, 5U, 7U, 11U, 13U, 17U, 19U, 23U, 29U, 31U, 37U}) {
    std::uint64_t power = arithmetic.public_power(base, odd);
    if (power == 1 || power == n - 1) continue;
    bool witness = true;
    for (int i = 1; i < twos && witness; ++i) {
      power = arithmetic.public_product(power, power);
      witness = power != n - 1;
    }
    if (witness) return false;
  }
  return true;
}

std::vector<std::uint64_t> random_words(std::uint64_t below, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> words(kDegree);
  for (std::uint64_t& word : words) word = random() % below;
  return words;
}

// The product by its definition, where y has few coefficients.
std::vector<std::uint64_t> schoolbook(const Prime& prime, const std::vector<std::uint64_t>& x,
                                      const std::vector<std::uint64_t>& y) {
  const std::uint64_t p = prime.value();
  std::vector<std::uint64_t> out(kDegree);
  for (std::size_t j = 0; j < y.size(); ++j) {
    if (y[j] == 0) continue;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t at = (i + j) % kDegree;
      const std::uint64_t term = prime.public_product(x[i], y[j]);
      out[at] = (out[at] + (i + j < kDegree ? term : p - term)) % p;
    }
  }
  return out;
}

std::vector<std::uint64_t> by_transform(const Transform& transform, std::vector<std::uint64_t> x,
                                        std::vector<std::uint64_t> y, std::int64_t length = kDegree) {
  const Prime& prime = transform.prime();
  transform.forward(x.data());
  transform.forward(y.data(), length);
  EXPECT_THAT(x, Each(Le(4 * prime.value() - 1)));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = prime.montgomery_of_any(product(x[i], y[i]));
  const auto word = static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) % prime.value());
  transform.backward(x.data(), prime.factor(prime.public_product(transform.inverse_degree(), word)));
  return x;
}

TEST(Transform, HasPrimesOfTheStatedForm) {
  for (int number = 0; number < kModuli; ++number) {
    double bits = 0;
    for (const std::uint64_t p : modulus(number).primes) {
      EXPECT_TRUE(is_prime(p)) << p;
      EXPECT_EQ(p % (2 * kDegree), 1u);
      EXPECT_EQ(static_cast<int>(std::bit_width(p)), modulus(number).prime_bits);
      bits += std::log2(static_cast<double>(p));
    }
    EXPECT_EQ(std::ceil(bits), modulus(number).bits);
    EXPECT_LE(bits, 214) << "the bound for 128 bits of security";
  }
}

TEST(Transform, MultipliesByFewCoefficients) {
  for (const std::uint64_t p : every_prime()) {
    const Prime prime(p);
    const Transform transform(prime);
    const auto x = random_words(p, p);
    std::vector<std::uint64_t> y(kDegree);
    for (const std::size_t at : {0U, 1U, 77U, 4095U, 4096U, 8191U}) y[at] = (p - 1) / (at + 1);
    EXPECT_EQ(by_transform(transform, x, y), schoolbook(prime, x, y)) << p;
  }
}

TEST(Transform, MultipliesTheLargestCoefficients) {
  const Prime prime(modulus(0).primes[0]);
  const Transform transform(prime);
  const std::vector<std::uint64_t> largest(kDegree, prime.value() - 1);
  std::vector<std::uint64_t> product(kDegree);  // (-1)·(-1), of which i+1 pairs come without a sign and N-i-1 with one
  for (std::int64_t i = 0; i < kDegree; ++i) {
    product[static_cast<std::size_t>(i)] =
        (prime.value() + static_cast<std::uint64_t>(2 * (i + 1) - kDegree)) % prime.value();
  }
  EXPECT_EQ(by_transform(transform, largest, largest), product);
  // Inputs up to 4p are allowed.
  std::vector<std::uint64_t> beyond = largest;
  for (std::uint64_t& word : beyond) word += 3 * prime.value();
  EXPECT_EQ(by_transform(transform, beyond, largest), product);
}

TEST(Transform, PassesOverCoefficientsThatAreZero) {
  const Prime prime(modulus(2).primes[1]);
  const Transform transform(prime);
  const auto x = random_words(prime.value(), 5);
  for (const std::int64_t length : {0, 1, 2, 3, 511, 512, 513, 4095, 4096, 4097, 8191, 8192}) {
    auto y = random_words(prime.value(), 6);
    std::fill(y.begin() + length, y.end(), 0);
    EXPECT_EQ(by_transform(transform, x, y, length), by_transform(transform, x, y)) << length;
  }
}

TEST(Prime, ReducesEveryWord) {
  for (const std::uint64_t p : every_prime()) {
    const Prime prime(p);
    const auto inverse = prime.public_inverse(static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) % p));
    for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, p - 1, p, 2 * p - 1, 4 * p - 1,
                                  std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, ~std::uint64_t{0}}) {
      EXPECT_EQ(prime.from_word(x) % p, x % p);
      EXPECT_LT(prime.from_word(x), 2 * p);
      const auto number = static_cast<std::int64_t>(x);
      const std::uint64_t residue = number < 0 ? (p - -static_cast<std::uint64_t>(number) % p) % p : x % p;
      EXPECT_EQ(prime.from_signed(x) % p, residue);
      EXPECT_LT(prime.from_signed(x), 3 * p);
      for (const std::uint64_t y : {std::uint64_t{0}, std::uint64_t{1}, p - 1, 4 * p - 1, ~std::uint64_t{0}}) {
        const Wide both = product(x, y);
        EXPECT_EQ(prime.montgomery_of_any(both), prime.public_product(static_cast<std::uint64_t>(both % p), inverse));
        const Factor factor = prime.factor(x % p);
        EXPECT_EQ(factor.times(y, p) % p, prime.public_product(x % p, y % p));
        EXPECT_LT(factor.times(y, p), 2 * p);
      }
    }
    EXPECT_EQ(prime.montgomery((static_cast<Wide>(p) << 64) - 1), prime.public_product(p - 1, inverse));
  }
}

}  // namespace
}  // namespace tacit::mpc::lattice
