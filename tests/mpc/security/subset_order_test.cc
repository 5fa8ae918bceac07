// The order of the dealt products of subsets of mask bits is fixed, as its card documents.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/subset_products.h"

namespace tacit::mpc {
namespace {

using Planes = std::vector<BitTensor>;

Planes random_planes(std::size_t count, Shape shape, unsigned seed) {
  std::mt19937_64 random(seed);
  Planes planes = BitTensor::several(shape, static_cast<std::int64_t>(count));
  for (BitTensor& plane : planes) {
    for (std::uint64_t& word : plane.words()) word = random();
    plane.clear_padding();
  }
  return planes;
}

bool equal(const BitTensor& a, const BitTensor& b) {
  return std::equal(a.words().begin(), a.words().end(), b.words().begin(), b.words().end());
}

// The product of the planes in the set, bit by bit, for comparison.
BitTensor product_of(const Planes& planes, const std::vector<std::size_t>& set) {
  BitTensor product = planes.at(set.front());
  for (const std::size_t j : set) {
    for (std::size_t w = 0; w < product.words().size(); ++w) product.words()[w] &= planes[j].words()[w];
  }
  return product;
}

// All subsets of a range in the order of the card, by recursion: subsets without the highest
// element come before subsets with it.
std::vector<std::vector<std::size_t>> subsets(std::size_t begin, std::size_t end) {
  if (begin == end) return {{}};
  auto all = subsets(begin, end - 1);
  const auto without = all;
  for (std::vector<std::size_t> set : without) {
    set.push_back(end - 1);
    all.push_back(std::move(set));
  }
  return all;
}

constexpr Shape kShape{83, 50};

TEST(SubsetOrder, OfAGroupIsThatOfItsBitMasks) {
  for (std::size_t size = 1; size <= 8; ++size) {
    const Planes mu = random_planes(size, kShape, 1);
    Planes products = BitTensor::several(kShape, group_products(static_cast<int>(size)));
    Workers workers;
    make_group_products(mu, products, workers);
    auto sets = subsets(0, size);
    sets.erase(sets.begin());  // the empty subset
    ASSERT_EQ(products.size(), sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) EXPECT_TRUE(equal(products[i], product_of(mu, sets[i]))) << i;
  }
}

TEST(SubsetOrder, OfACarryIsThatOfThePropagatesThenOfEachGenerateWithThose) {
  for (std::size_t m = 1; m <= 8; ++m) {
    const Planes mu_g = random_planes(m, kShape, 2), mu_p = random_planes(m - 1, kShape, 3);
    Planes products = BitTensor::several(kShape, carry_products(static_cast<int>(m)));
    Workers workers;
    make_carry_products(mu_g, mu_p, products, workers);
    std::size_t at = 0;
    auto of_p = subsets(0, m - 1);
    of_p.erase(of_p.begin());
    for (const auto& set : of_p) EXPECT_TRUE(equal(products[at++], product_of(mu_p, set)));
    for (std::size_t k = 0; k < m; ++k) {
      for (const auto& set : subsets(k, m - 1)) {  // p_(k+1) is the element k
        Planes both = mu_p;
        both.push_back(mu_g[k]);
        std::vector<std::size_t> with_g = set;
        with_g.push_back(m - 1);
        EXPECT_TRUE(equal(products[at++], product_of(both, with_g)));
      }
    }
    EXPECT_EQ(at, products.size());
  }
}

// "c < r" and "c = r" from products in this order, at one party that holds everything.
struct Compared {
  BitTensor less, equal;
};
Compared compared(const Planes& c, const Planes& products) {
  Planes same = c;
  for (BitTensor& plane : same) {
    for (std::uint64_t& word : plane.words()) word = ~word;
    plane.clear_padding();
  }
  Workers workers;
  GroupShares shares = expand_group(same, products, true, workers);
  return {std::move(shares.generate), std::move(shares.propagate)};
}

std::int64_t mistakes(const Planes& c, const Planes& r, const Compared& found) {
  const auto number = [](const Planes& planes, std::int64_t i) {
    int value = 0;
    for (std::size_t j = 0; j < planes.size(); ++j) value |= (planes[j].at(i) ? 1 : 0) << j;
    return value;
  };
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < kShape.size(); ++i) {
    if (found.less.at(i) != (number(c, i) < number(r, i)) || found.equal.at(i) != (number(c, i) == number(r, i))) {
      ++wrong;
    }
  }
  return wrong;
}

TEST(SubsetOrder, DecidesAComparisonAndAnyOtherOrderSpoilsIt) {
  for (const std::size_t size : {2U, 3U, 5U}) {
    const Planes c = random_planes(size, kShape, 4), r = random_planes(size, kShape, 5);
    Planes products = BitTensor::several(kShape, group_products(static_cast<int>(size)));
    Workers workers;
    make_group_products(r, products, workers);
    EXPECT_EQ(mistakes(c, r, compared(c, products)), 0);
    for (std::size_t i = 0; i < products.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Planes swapped = products;
        std::swap(swapped[i], swapped[j]);
        EXPECT_GT(mistakes(c, r, compared(c, swapped)), 0) << "products " << i << " and " << j << " of " << size;
      }
    }
  }
}

TEST(SubsetOrder, OfTheGroupsOfAComparisonIsFixed) {
  const std::map<int, std::vector<int>> groups{{1, {1}}, {25, {5, 4, 4, 4, 4, 4}}, {37, {6, 6, 5, 5, 5, 5, 5}}};
  for (const auto& [bits, sizes] : groups) EXPECT_EQ(comparison_groups(bits), sizes) << bits;
  for (int bits = 1; bits <= 62; ++bits) {
    const std::vector<int> sizes = comparison_groups(bits);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), bits);
    EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
  }
}

}  // namespace
}  // namespace tacit::mpc
