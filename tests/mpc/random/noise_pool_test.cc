// The pool hands out the draws of its seeds in order, however many are taken at a time.
#include "mpc/random/noise_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "tests/mpc/random/fixed_seed.h"

namespace tacit::mpc {
namespace {

// The seed of the i-th sigma is fixed_seed(i).
NoisePool::Seeds fixed_seeds() {
  return [next = std::make_shared<unsigned char>()] { return fixed_seed((*next)++); };
}

std::vector<std::int64_t> drawn(std::int64_t sigma, unsigned char seed, std::size_t count) {
  const DiscreteGaussian gaussian = DiscreteGaussian::of_sigma(sigma);
  UniformWords random(fixed_seed(seed));
  std::vector<std::int64_t> all(count);
  for (std::int64_t& number : all) number = gaussian.draw(random);
  return all;
}

std::vector<std::int64_t> taken(NoisePool& pool, std::int64_t sigma, std::size_t count) {
  std::vector<std::int64_t> all(count);
  pool.take(sigma, all);
  return all;
}

TEST(NoisePool, GivesEachDrawOnceAndInOrder) {
  NoisePool pool(fixed_seeds());
  std::vector<std::int64_t> seen;
  for (const std::size_t count : {0U, 1U, 7U, 1016U, 1U, 1023U, 1024U, 5000U, 3U}) {
    const std::vector<std::int64_t> next = taken(pool, 1000, count);
    seen.insert(seen.end(), next.begin(), next.end());
  }
  EXPECT_EQ(seen, drawn(1000, 0, seen.size()));
}

TEST(NoisePool, DrawsEachSigmaFromASeedOfItsOwn) {
  NoisePool pool(fixed_seeds());
  std::vector<std::int64_t> wide, thin;
  for (int i = 0; i < 5; ++i) {
    for (const std::int64_t number : taken(pool, 1 << 20, 700)) wide.push_back(number);
    for (const std::int64_t number : taken(pool, 3, 300)) thin.push_back(number);
  }
  EXPECT_EQ(wide, drawn(1 << 20, 0, wide.size()));
  EXPECT_EQ(thin, drawn(3, 1, thin.size()));
}

TEST(NoisePool, AddsADrawToEachWordOfARing) {
  NoisePool pool(fixed_seeds());
  RingTensor words(Shape{3, 700}, 20);
  for (std::uint64_t& word : words.words()) word = 5;
  pool.add(1000, words);
  const std::vector<std::int64_t> noise = drawn(1000, 0, 2100);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    EXPECT_EQ(words.words()[i], (5 + static_cast<std::uint64_t>(noise[i])) & low_bits(20));
  }
}

TEST(NoisePool, OfASessionIsFreshEachTime) {
  const auto fresh = [] { return PairSeed::own(Nonce{}); };
  NoisePool one(fresh), other(fresh);
  EXPECT_NE(taken(one, 1 << 30, 16), taken(other, 1 << 30, 16));
}

TEST(NoisePool, EndsWhileItDrawsOrBeforeItBegan) {
  for (int i = 0; i < 20; ++i) {
    NoisePool unused(fixed_seeds()), pool(fixed_seeds());
    taken(pool, 1 << 20, static_cast<std::size_t>(i));
  }
}

TEST(NoisePool, RefusesASigmaThatIsTooLarge) {
  NoisePool pool(fixed_seeds());
  EXPECT_THROW(taken(pool, DiscreteGaussian::kMostSigma + 1, 1), BrokenInvariant);
  EXPECT_EQ(taken(pool, 5, 3).size(), 3U);
}

}  // namespace
}  // namespace tacit::mpc
