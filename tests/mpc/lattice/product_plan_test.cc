// Blocks hold a matrix product in a few coefficients, and plans have the fewest bytes.
#include "mpc/lattice/product_plan.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

#include "mpc/lattice/answer.h"
#include "mpc/lattice/leakage.h"
#include "mpc/lattice/masked_product.h"
#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc::lattice {
namespace {

// Modulo X^N + 1 and 2^64.
std::vector<std::uint64_t> polynomial_product(const std::vector<std::uint64_t>& x,
                                              const std::vector<std::uint64_t>& y) {
  std::vector<std::uint64_t> out(kDegree);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; x[i] != 0 && j < y.size(); ++j) {
      const std::uint64_t term = x[i] * y[j];
      out[(i + j) % kDegree] += i + j < kDegree ? term : -term;
    }
  }
  return out;
}

TEST(Blocks, HoldTheProductInTheWantedCoefficients) {
  // Also with blocks that fill a polynomial, so that products wrap, and with parts of blocks at the edges.
  for (const auto& [size, width] : std::vector<std::pair<ProductSize, ProductSize>>{{{5, 4, 6}, {5, 4, 6}},
                                                                                    {{5, 4, 6}, {2, 3, 4}},
                                                                                    {{32, 16, 16}, {32, 16, 16}},
                                                                                    {{1, 100, 3}, {1, 64, 3}},
                                                                                    {{128, 3, 65}, {128, 1, 64}}}) {
    const Blocks blocks{size, width};
    const RingTensor l = random_tensor({size.m, size.c}, 64, 1), r = random_tensor({size.c, size.p}, 64, 2);
    const RingTensor exact =
        product_by_definition(l.view(), r.view(), Into::kSet, RingTensor::zeros({size.m, size.p}, 64));
    RingTensor found = RingTensor::zeros({size.m, size.p}, 64);
    for (std::int64_t x = 0; x < blocks.count().m; ++x) {
      for (std::int64_t y = 0; y < blocks.count().p; ++y) {
        const auto wanted = blocks.wanted(x, y);
        for (std::int64_t t = 0; t < blocks.count().c; ++t) {
          std::vector<std::uint64_t> left(kDegree), right(kDegree);
          blocks.left(l.view(), x, t, 64, left.data());
          blocks.right(r.view(), t, y, 64, right.data());
          const auto product = polynomial_product(left, right);
          for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto columns = static_cast<std::size_t>(blocks.part(x, y).p);
            const auto row = x * width.m + static_cast<std::int64_t>(i / columns);
            const auto column = y * width.p + static_cast<std::int64_t>(i % columns);
            found.data()[row * size.p + column] += product[static_cast<std::size_t>(wanted[i])];
          }
        }
      }
    }
    EXPECT_EQ(words_of(found), words_of(exact));
  }
}

// The bytes of a pair with these widths.
std::int64_t bytes_with(const ProductPlan& plan, const ProductSize& width, Encrypted encrypted) {
  ProductPlan other = plan;
  other.blocks.width = width;
  other.encrypted = encrypted;
  return other.pair_bytes();
}

TEST(ProductPlan, HasTheFewestBytesOfAllWidths) {
  for (const ProductSize& size :
       {ProductSize{40, 30, 20}, ProductSize{3, 300, 5}, ProductSize{100, 9, 13}, ProductSize{1, 1, 1}}) {
    for (const int bits : {25, 51, 64}) {
      const ProductPlan plan = planned_parts(size, bits, 3).front().plan;
      std::int64_t least = plan.pair_bytes() + 1;
      for (std::int64_t m = 1; m <= size.m; ++m) {
        for (std::int64_t c = 1; c <= size.c && m * c <= kDegree; ++c) {
          for (std::int64_t p = 1; p <= size.p && m * c * p <= kDegree; ++p) {
            for (const Encrypted side : {Encrypted::kLeft, Encrypted::kRight, Encrypted::kBoth}) {
              least = std::min(least, bytes_with(plan, {m, c, p}, side));
            }
          }
        }
      }
      // The plan counts the hints of a pair together, and a message pads those of each answer to a byte.
      EXPECT_LE(plan.pair_bytes(), least + 2 * plan.blocks.count().m * plan.blocks.count().p) << bits << " " << size.m;
    }
  }
}

TEST(ProductPlan, OfTheWorkloadsIsThatOfTheDesign) {
  // A small product: both operands of one party, and one answer.
  const ProductPlan small = planned_parts({300, 16, 1}, 38, 2).front().plan;
  EXPECT_EQ(small.encrypted, Encrypted::kBoth);
  EXPECT_EQ(small.ciphertexts(), 2);
  EXPECT_EQ(small.pair_bytes(), 2 * 3 * kDegree * 50 / 8 + kDegree * 47 / 8 + (300 * 3 + 7) / 8);
  // The first layer of Cora, with fresh masks.
  const ProductPlan large = planned_parts({2708, 1433, 16}, 51, 2).front().plan;
  EXPECT_EQ(large.encrypted, Encrypted::kRight);
  EXPECT_EQ(large.modulus, 2) << "with 180 bits its own leakage is 2^-53.6";
  EXPECT_NEAR(static_cast<double>(large.pair_bytes()), 40.3e6, 0.1e6);
}

TEST(ProductPlan, GivesEachPairOneFirstPartyAndEachPartyItsPart) {
  ProductPlan plan;
  plan.encrypted = Encrypted::kBoth;
  for (const int parties : {2, 3, 5}) {
    std::map<int, int> first;
    for (int i = 0; i < parties; ++i) {
      for (int j = 0; j < parties; ++j) {
        first[i] += plan.encrypts_for(i, j) ? 1 : 0;
        EXPECT_EQ(plan.encrypts_for(i, j), i != j && !plan.encrypts_for(j, i));
      }
    }
    if (parties % 2 == 1) {
      for (int i = 0; i < parties; ++i) EXPECT_EQ(first[i], (parties - 1) / 2);
    }
  }
}

TEST(ProductPlan, CutsAProductWithLargeMessages) {
  const ProductSize size{40000, 9000, 3000};
  std::int64_t volume = 0;
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> begins;
  for (const PlannedPart& part : planned_parts(size, 64, 2)) {
    EXPECT_LE(part.plan.ciphertexts_bytes(), kMostMessageBytes);
    EXPECT_LE(part.plan.answers_bytes(), kMostMessageBytes);
    EXPECT_LE(part.first.m + part.plan.blocks.size.m, size.m);
    EXPECT_LE(part.first.c + part.plan.blocks.size.c, size.c);
    EXPECT_LE(part.first.p + part.plan.blocks.size.p, size.p);
    volume += part.plan.blocks.size.volume();
    EXPECT_TRUE(begins.insert({part.first.m, part.first.c, part.first.p}).second);
  }
  EXPECT_GT(begins.size(), 1u);
  EXPECT_EQ(volume, size.volume());
}

TEST(ProductPlan, OfNothingIsEmpty) {
  EXPECT_TRUE(planned_parts({0, 3, 4}, 64, 2).empty());
  EXPECT_TRUE(planned_parts({3, 0, 4}, 64, 2).empty());
  EXPECT_TRUE(planned_parts({3, 4, 5}, 64, 1).empty());
}

TEST(Leakage, IsThatOfTheFormulaAndTakesTheNextModulus) {
  EXPECT_NEAR(std::log2(hint_leakage(38, 4336, 150)), -65.4, 0.1);
  EXPECT_NEAR(std::log2(hint_leakage(64, 1, 210)), -79.4, 0.1);
  for (const int parties : {2, 5}) {
    for (const auto& [size, bits] :
         std::vector<std::pair<ProductSize, int>>{{{300, 300, 1}, 38}, {{2708, 1433, 16}, 38}, {{300, 8, 16}, 51}}) {
      const ProductPlan plan = planned_parts(size, bits, parties).front().plan;
      EXPECT_LE(plan.leakage, kMostLeakageOfProduct);
      const std::int64_t of_left = size.c * plan.blocks.width.m, of_right = size.c * plan.blocks.width.p;
      const std::int64_t terms = (plan.left() ? of_right : 0) + (plan.right() ? of_left : 0);
      EXPECT_DOUBLE_EQ(plan.leakage, static_cast<double>(size.m * size.p) * (parties - 1) *
                                         hint_leakage(bits, terms, modulus(plan.modulus).bits));
    }
  }
  EXPECT_EQ(planned_parts({300, 300, 1}, 38, 2).front().plan.modulus, 0);
  EXPECT_EQ(planned_parts({2708, 1433, 16}, 38, 2).front().plan.modulus, 1);
}

}  // namespace
}  // namespace tacit::mpc::lattice
