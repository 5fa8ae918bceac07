// The selected outer product is exact, takes one round, and costs as much as its card states.
#include "mpc/functions/selected_outer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/show.h"
#include "net/collectives/pack.h"
#include "tests/mpc/functions/evaluate.h"
#include "tests/mpc/gathered_correlations.h"

namespace tacit::mpc {
namespace {

constexpr Format kSigns{20, 0};

struct OuterRings {
  int column, masked, row, wide;
};

// Whole numbers below 2^(k-2), with both ends.
Matrix numbers_in(Shape shape, int k, unsigned seed) {
  const double most = std::ldexp(1.0, k - 2) - 1;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-most, most);
  Matrix values = Matrix::NullaryExpr(shape.rows, shape.cols, [&] { return std::round(uniform(random)); });
  if (values.size() > 2) values.data()[0] = most, values.data()[1] = -most;
  return values;
}

// The cost that the card states.
Cost spent_on_outer(const OuterRings& rings, Shape shape, bool selected_before) {
  const auto bytes = [](Shape of, int bits) { return net::packed_bytes(of.size(), bits); };
  const int k = rings.column, l = rings.row, K = rings.wide;
  const Shape rows{shape.rows, 1};
  Cost cost{.rounds = 1, .bytes = bytes(rows, k) + bytes(shape, l)};
  cost.dealt_bytes = 3 * kDealtTagBytes + (selected_before ? 1 : 2) * bytes(shape, l) + 2 * bytes(rows, K - k) +
                     bytes(shape, K) + bytes(shape, K - k) + 3 * bytes(shape, K - l) +
                     (K > k + l ? bytes(shape, K - k - l) : 0);
  return cost;
}

TEST(SelectedOuter, IsExactAndCostsWhatItsCardStates) {
  for (const OuterRings& rings : {OuterRings{38, 57, 23, 61}, {25, 44, 44, 64}, {12, 12, 12, 48}, {51, 57, 23, 61}}) {
    for (const Shape shape : {Shape{0, 3}, {1, 1}, {1, 65}, {65, 1}, {129, 3}}) {
      const Matrix x = numbers_in({shape.rows, 1}, rings.column, 1), y = numbers_in({1, shape.cols}, rings.row, 2);
      const Matrix signs = numbers_in(shape, kSigns.ring_bits - 1, 3);
      Matrix expected(shape.rows, shape.cols);
      for (Eigen::Index i = 0; i < expected.rows(); ++i) {
        for (Eigen::Index j = 0; j < expected.cols(); ++j) {
          const auto word =
              static_cast<std::uint64_t>(std::llround(x(i, 0))) * static_cast<std::uint64_t>(std::llround(y(0, j))) &
              low_bits(rings.wide);
          expected(i, j) = signs(i, j) >= 0 ? static_cast<double>(signed_value(word, rings.wide)) : 0;
        }
      }
      for (const bool selected_before : {false, true}) {
        const Function program = [&](Session& s) {
          const Bits bits = non_negative(s, show(s, input(s, 0, shape, kSigns, &signs, "signs")), kSigns.ring_bits - 1);
          if (selected_before) indicator(s, bits, rings.row);
          const int last = s.parties() - 1;
          const Matrix turned = y.transpose();
          const Masked row = mask(s, input(s, last, shape_of(turned), {rings.masked, 0}, &turned, "y")).transposed();
          const Share column = input(s, 0, shape_of(x), {rings.column, 0}, &x, "x");
          const Cost before = s.stated();
          const SelectedOuter outer = selected_outer(s, bits, column, row, rings.row, rings.wide);
          const Cost cost = s.stated() - before, wanted = spent_on_outer(rings, shape, selected_before);
          if (s.parties() == 2 && cost.messages > 0) {
            EXPECT_EQ(cost.rounds, wanted.rounds);
            EXPECT_EQ(cost.bytes, wanted.bytes);
          }
          if (cost.dealt_messages == 3) {
            EXPECT_EQ(cost.dealt_bytes, wanted.dealt_bytes);
          }
          EXPECT_EQ(outer.product.format(), (Format{rings.wide, 0}));
          EXPECT_EQ(outer.column.ring_bits(), rings.column);
          return outer.product;
        };
        EXPECT_EQ(revealed_in_the_clear(program), expected);
        for (const int parties : kPartyCounts) EXPECT_EQ(revealed_by_parties(parties, program), expected);
        for (const int parties : {2, 3}) {
          RunOptions options;
          options.source = gathered_correlations(parties);
          EXPECT_EQ(revealed_by_parties(parties, program, options), expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
