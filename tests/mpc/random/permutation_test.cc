#include "mpc/random/permutation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace tacit::mpc {
namespace {

Permutation drawn(std::int64_t count, std::mt19937_64& random) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for_permutation(count)));
  for (std::uint64_t& word : words) word = random();
  return permutation_from(words, count);
}

TEST(Permutation, HasEachPlaceOnceAndAnInverse) {
  std::mt19937_64 random(1);
  for (const std::int64_t count : {0, 1, 2, 3, 1000, 70000}) {
    const Permutation order = drawn(count, random);
    ASSERT_EQ(std::ssize(order), count);
    EXPECT_TRUE(is_permutation(order));
    const Permutation back = inverse(order);
    for (std::size_t i = 0; i < order.size(); ++i)
      EXPECT_EQ(back[static_cast<std::size_t>(order[i])], static_cast<int>(i));
  }
}

TEST(Permutation, IsUniform) {
  constexpr int kDraws = 240000, kOrders = 24;
  std::mt19937_64 random(2);
  std::map<Permutation, int> seen;
  for (int draw = 0; draw < kDraws; ++draw) ++seen[drawn(4, random)];
  ASSERT_EQ(seen.size(), kOrders);
  double chi_square = 0;
  for (const auto& [order, count] : seen) chi_square += std::pow(count - kDraws / kOrders, 2) / (kDraws / kOrders);
  EXPECT_LT(chi_square, 50);  // 23 degrees of freedom: above 50 in one of a thousand seeds
}

// 2^64 mod 3 is 1: of all words, the word 0 alone is drawn again.
TEST(Permutation, DrawsAWordAgainThatFavoursSmallNumbers) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for_permutation(3)), ~std::uint64_t{0});
  const Permutation expected = permutation_from(words, 3);
  words.insert(words.begin(), 0);
  words.pop_back();
  EXPECT_EQ(permutation_from(words, 3), expected);
}

TEST(Permutation, IsToldFromOtherOrders) {
  EXPECT_TRUE(is_permutation(Permutation{2, 0, 1}));
  EXPECT_FALSE(is_permutation(Permutation{2, 0, 2}));
  EXPECT_FALSE(is_permutation(Permutation{3, 0, 1}));
  EXPECT_FALSE(is_permutation(Permutation{-1, 0, 1}));
}

}  // namespace
}  // namespace tacit::mpc
