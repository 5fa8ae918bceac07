// What the parties make for products of masks is exact, for every ring and shape.
#include <gtest/gtest.h>

#include "tests/mpc/made/made_requests.h"

namespace tacit::mpc {
namespace {

const std::vector<Shape> kShapesOfProducts{{0, 3}, {1, 1}, {7, 9}, {8, 8}, {65, 1}, {3, 43}};

struct Rings {
  int k, l, bits;
};

TEST(LiftedProductMade, IsExactInEveryRing) {
  const std::vector<Rings> rings{{25, 25, 64}, {38, 25, 64}, {25, 38, 63},     {2, 2, 3},   {7, 8, 15}, {8, 7, 16},
                                 {63, 63, 64}, {33, 31, 64}, {31, 33, 65 - 1}, {2, 60, 64}, {9, 2, 10}};
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<LiftedProductRequest>> asks;
    for (const auto& [k, l, bits] : rings) {
      for (const bool with_wrap_of_x : {true, false}) {
        asks.push_back([=, k = k, l = l, bits = bits](TestMasks& masks) {
          return LiftedProductRequest{masks.words({5, 13}), masks.words({13, 5}).transposed(), k, l, bits,
                                      with_wrap_of_x};
        });
      }
    }
    expect_exact(parties, asks);
  }
}

TEST(LiftedProductMade, IsExactForEveryShape) {
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<LiftedProductRequest>> asks;
    for (const Shape shape : kShapesOfProducts) {
      asks.push_back([=](TestMasks& masks) {
        return LiftedProductRequest{masks.words(shape), masks.words(shape), 20, 30, 56, true};
      });
      asks.push_back([=](TestMasks& masks) {  // a column times every column
        const RingView column = masks.words({shape.rows, 1});
        return LiftedProductRequest{{column.words, shape, 1, 0}, masks.words(shape), 20, 30, 56, false};
      });
    }
    expect_exact(parties, asks);
  }
}

// Masks at the ends of their range, where all bits carry.
TEST(LiftedProductMade, IsExactAtTheEnds) {
  const Plain ends{0, 1, (1 << 24) - 1, 1 << 24, (1 << 25) - 1, 1 << 25, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  Plain x, y;
  for (const std::uint64_t a : ends) {
    for (const std::uint64_t b : ends) x.push_back(a), y.push_back(b);
  }
  for (const int parties : kNumbersOfParties) {
    const Shape shape{std::ssize(x), 1};
    expect_exact<LiftedProductRequest>(parties, {[&](TestMasks& masks) {
                                         return LiftedProductRequest{
                                             masks.sharing(shape, x), masks.sharing(shape, y), 25, 25, 64, true};
                                       }});
  }
}

MaskFactor rho(int of, int power = 1) { return {of, power, false}; }
MaskFactor sigma(int of) { return {of, 0, true}; }
MaskFactor both(int of, int power = 1) { return {of, power, true}; }

TEST(MaskProductsMade, AreExact) {
  const std::vector<std::vector<MaskProduct>> lists{
      {{{rho(0)}, 64}},
      {{{rho(0)}, 20}},  // nothing to make
      {{{rho(0)}, 21}, {{sigma(0)}, 44}},
      {{{sigma(1)}, 1}},
      {{{rho(0, 2)}, 64}, {{rho(0, 3)}, 50}, {{both(0, 2)}, 40}, {{both(0)}, 64}},
      {{{rho(0), rho(1)}, 64}, {{rho(0), rho(1), rho(2)}, 64}},
      {{{rho(0), sigma(2)}, 40}, {{sigma(0), rho(1), rho(2)}, 60}, {{sigma(0), sigma(1), sigma(2)}, 33}},
      {{{rho(0, 2), rho(1)}, 64}, {{both(0), sigma(1)}, 9}, {{rho(0), both(2)}, 64}, {{rho(2)}, 64}, {{rho(1)}, 33}}};
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<MaskProductsRequest>> asks;
    for (const Shape shape : {Shape{1, 1}, Shape{5, 13}}) {
      for (const std::vector<MaskProduct>& products : lists) {
        for (const std::vector<int>& k : {std::vector{20, 33, 11}, std::vector{3, 2, 64}}) {
          asks.push_back([=](TestMasks& masks) {
            MaskProductsRequest request{{}, k, shape, products};
            for (int v = 0; v < 3; ++v) request.r.push_back(masks.words(shape));
            return request;
          });
        }
      }
    }
    for (const Shape shape : kShapesOfProducts) {
      asks.push_back([=](TestMasks& masks) {
        const std::vector<RingView> r{masks.words(shape), masks.words(shape.transposed()).transposed()};
        return MaskProductsRequest{r, {20, 30}, shape, {{{rho(0), rho(1, 2)}, 64}, {{sigma(0)}, 20}}};
      });
    }
    expect_exact(parties, asks);
  }
}

}  // namespace
}  // namespace tacit::mpc
