// The product of two shown values in a wider ring is exact, and costs as much as its card states.
#include "mpc/protocols/lifted_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/show.h"
#include "net/collectives/pack.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

// Whole numbers below 2^(k-2), with both ends.
Matrix shown_numbers(Shape shape, int k, unsigned seed) {
  const double most = std::ldexp(1.0, k - 2) - 1;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-most, most);
  Matrix values = Matrix::Zero(shape.rows, shape.cols).unaryExpr([&](double) { return std::round(uniform(random)); });
  if (values.size() > 2) values.data()[0] = most, values.data()[1] = -most;
  return values;
}

TEST(LiftedProduct, IsExactInEveryRing) {
  struct Rings {
    int k, l, wide;
  };
  for (const Rings& r : {Rings{22, 29, 53}, {35, 20, 53}, {12, 12, 48}, {4, 21, 40}, {30, 18, 64}, {8, 8, 9}}) {
    for (const Shape shape : {Shape{0, 1}, Shape{1, 1}, Shape{65, 3}, Shape{385, 1}}) {
      const Matrix x = shown_numbers(shape, r.k, 1), y = shown_numbers(shape, r.l, 2);
      // In the wide ring, as a signed number.
      const Matrix expected = x.cwiseProduct(y).unaryExpr([&](double v) {
        const auto word = static_cast<std::uint64_t>(std::llround(v)) & low_bits(r.wide);
        return static_cast<double>(signed_value(word, r.wide));
      });
      const Function program = [&](Session& s) {
        const std::vector<Shown> shown = show(
            s, std::vector{input(s, 0, shape, {r.k, 0}, &x, "x"), input(s, s.parties() - 1, shape, {r.l, 0}, &y, "y")});
        const Cost before = s.stated();
        const Share product = lifted_product(s, shown[0], shown[1], r.wide);
        const Cost cost = s.stated() - before;
        EXPECT_EQ(cost.rounds, 0);
        EXPECT_EQ(cost.bytes, 0);
        std::int64_t dealt = 3 * net::packed_bytes(shape.size(), r.wide - r.k) +
                             3 * net::packed_bytes(shape.size(), r.wide - r.l) +
                             net::packed_bytes(shape.size(), r.wide);
        if (r.wide > r.k + r.l) dealt += net::packed_bytes(shape.size(), r.wide - r.k - r.l);
        EXPECT_EQ(cost.dealt_bytes, cost.dealt_messages * (kDealtTagBytes + dealt));
        EXPECT_EQ(product.format(), (Format{r.wide, 0}));
        return product;
      };
      EXPECT_EQ(revealed_in_the_clear(program), expected);
      for (const int parties : {1, 2, 3, 5, 8}) EXPECT_EQ(revealed_by_parties(parties, program), expected);
      for (const int parties : {2, 3}) {
        RunOptions options;
        options.source = gathered_correlations(parties);
        EXPECT_EQ(revealed_by_parties(parties, program, options), expected);
      }
    }
  }
}

// The terms of the column's wrap are dealt once for a row.
TEST(LiftedProduct, OfAColumnIsExactForEveryColumn) {
  constexpr int kColumnRing = 22, kOtherRing = 29, kWide = 53;
  for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{1, 65}, Shape{3, 0}, Shape{385, 7}}) {
    const Matrix x = shown_numbers({shape.rows, 1}, kColumnRing, 1), y = shown_numbers(shape, kOtherRing, 2);
    const Matrix expected = x.replicate(1, shape.cols).cwiseProduct(y);
    const Function program = [&](Session& s) {
      const std::vector<Shown> shown = show(s, std::vector{input(s, 0, shape_of(x), {kColumnRing, 0}, &x, "x"),
                                                           input(s, s.parties() - 1, shape, {kOtherRing, 0}, &y, "y")});
      const Cost before = s.stated();
      const Share product = lifted_product(s, shown[0], shown[1], kWide);
      const Cost cost = s.stated() - before;
      const auto bytes = [&](std::int64_t size, int bits) { return net::packed_bytes(size, bits); };
      if (shape.cols != 1 && cost.dealt_messages > 0) {
        EXPECT_EQ(cost.dealt_bytes, cost.dealt_messages * kDealtTagBytes + 2 * bytes(shape.rows, kWide - kColumnRing) +
                                        bytes(shape.size(), kWide) + bytes(shape.size(), kWide - kColumnRing) +
                                        3 * bytes(shape.size(), kWide - kOtherRing) +
                                        bytes(shape.size(), kWide - kColumnRing - kOtherRing));
      }
      EXPECT_EQ(cost.rounds, 0);
      return product;
    };
    EXPECT_EQ(revealed_in_the_clear(program), expected);
    for (const int parties : {1, 2, 3, 5}) EXPECT_EQ(revealed_by_parties(parties, program), expected);
    for (const int parties : {2, 3}) {
      RunOptions options;
      options.source = gathered_correlations(parties);
      EXPECT_EQ(revealed_by_parties(parties, program, options), expected);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
