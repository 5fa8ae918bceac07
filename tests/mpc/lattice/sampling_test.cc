// Secrets, errors and uniform residues have their distributions; a name of a uniform half serves once.
#include "mpc/lattice/sampling.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "mpc/lattice/uniform_half.h"
#include "tests/mpc/random/fixed_seed.h"

namespace tacit::mpc::lattice {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(Sampling, AcceptsNumbersBelowTheBoundInTheirOrder) {
  Numbers words{5, 2, 3, 0, 2, 7, 1};
  EXPECT_EQ(accept_below(3, words, words.data(), 0), 4);
  EXPECT_EQ(Numbers(words.begin(), words.begin() + 4), (Numbers{2, 0, 2, 1}));
  Numbers full(kDegree + 1, 9);
  EXPECT_EQ(accept_below(3, Numbers{1, 2, 2}, full.data(), kDegree - 1), kDegree);
  EXPECT_EQ(full[kDegree - 1], 1u);
  EXPECT_EQ(full[kDegree], 9u) << "no number beyond the last";
}

TEST(Sampling, TernaryNumbersAreUniform) {
  Stream random(fixed_seed(1));
  std::array<double, 3> seen{};
  Numbers words(kDegree);
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds; ++i) {
    draw_ternary(random, words.data());
    for (const std::uint64_t word : words) {
      ASSERT_LE(word + 1, 2u);
      ++seen[word + 1];
    }
  }
  const double expected = kRounds * kDegree / 3.0;
  for (const double count : seen) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
}

TEST(Sampling, ErrorsAreDifferencesOfSumsOf21Bits) {
  Stream random(fixed_seed(2)), again(fixed_seed(2));
  Numbers errors(kDegree), words(kDegree);
  draw_errors(random, errors.data());
  again.fill(words);
  double squares = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int ones = std::popcount(words[i] & 0x1fffff), minus = std::popcount(words[i] >> 21 & 0x1fffff);
    ASSERT_EQ(static_cast<std::int64_t>(errors[i]), ones - minus);
    squares += (ones - minus) * (ones - minus);
  }
  EXPECT_NEAR(std::sqrt(squares / kDegree), kErrorDeviation, 0.15);
  EXPECT_NEAR(kErrorDeviation, std::sqrt(21.0 / 2), 1e-3);
}

TEST(Sampling, UniformResiduesAreBelowTheirPrimeAndUniformBitByBit) {
  for (const std::uint64_t p : {modulus(0).primes[0], modulus(1).primes[3]}) {
    Stream random(fixed_seed(3));
    Numbers words(kDegree);
    draw_uniform(random, Prime(p), words.data());
    for (int bit = 0; p >> bit != 0; ++bit) {
      double ones = 0;
      for (const std::uint64_t word : words) ones += static_cast<double>(word >> bit & 1);
      EXPECT_NEAR(ones / kDegree, 0.5, 5 * 0.5 / std::sqrt(kDegree)) << bit;
    }
    for (const std::uint64_t word : words) ASSERT_LT(word, p);
  }
}

TEST(Sampling, DrawsAgainWhatIsNotBelowThePrime) {
  Stream random(fixed_seed(4));
  Numbers words(kDegree);
  const Prime prime(12289);  // of 14 bits: a quarter of the numbers is drawn again
  draw_uniform(random, prime, words.data());
  double sum = 0;
  for (const std::uint64_t word : words) {
    ASSERT_LT(word, prime.value());
    sum += static_cast<double>(word);
  }
  EXPECT_NEAR(sum / kDegree, 6144, 5 * 12289 / std::sqrt(12.0 * kDegree));
}

Numbers first_limb(UniformHalves& halves, const Ring& ring, std::int64_t number) {
  const Limbs limbs = halves.expand(halves.seed(number), ring);
  return {limbs[0], limbs[0] + kDegree};
}

TEST(UniformHalves, AreEqualAtBothEndsAndDifferByEveryPartOfTheirName) {
  const Nonce nonce{std::byte{1}}, other{std::byte{2}};
  const Ring ring(modulus(0)), large(modulus(2));
  UniformHalves one(nonce, 0, modulus(0)), same(nonce, 0, modulus(0)), of_other(nonce, 1, modulus(0)),
      of_large(nonce, 0, modulus(2)), of_session(other, 0, modulus(0));
  const Numbers a = first_limb(one, ring, 3);
  EXPECT_EQ(first_limb(same, ring, 3), a);
  EXPECT_NE(first_limb(one, ring, 4), a);
  EXPECT_NE(first_limb(of_other, ring, 3), a);
  EXPECT_NE(first_limb(of_session, ring, 3), a);
  EXPECT_NE(first_limb(of_large, large, 3), a);
}

TEST(UniformHalves, ServeOneMessageEach) {
  UniformHalves halves({}, 0, modulus(1));
  halves.seed(0);
  halves.seed(1);
  EXPECT_THROW(halves.seed(1), BrokenInvariant);
  EXPECT_THROW(halves.seed(0), BrokenInvariant);
  halves.seed(7);
  EXPECT_THROW(halves.seed(6), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc::lattice
