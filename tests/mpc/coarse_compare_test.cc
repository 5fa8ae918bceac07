// A comparison that ignores low bits is right for every value at or above its threshold and for every value below by the ignored
// bits; and a selection may be in a narrower ring than the shown value.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

constexpr int kRing = 23, kHi = 22, kLow = 7;

Matrix near_thresholds(Shape shape) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> wide(-(1 << 20), 1 << 20), close(-200, 200);
  Matrix x(shape.rows, shape.cols);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const int at = i % 4 == 0 ? 3000 : -3000;
    x.data()[i] = i % 3 == 0 ? wide(random) : at + close(random);
  }
  return x;
}

std::vector<Comparison> thresholds(const Shown& shown) { return {{shown, kHi, 3000, kLow}, {shown, kHi, -3000, kLow}}; }

TEST(CoarseComparison, IsExactButForTheIgnoredBits) {
  for (const Shape shape : {Shape{0, 1}, Shape{1, 1}, Shape{67, 3}, Shape{2000, 1}}) {
    const Matrix x = near_thresholds(shape);
    for (const int which : {0, 1}) {
      const Function program = [&](Session& s) {
        const Shown shown = show(s, input(s, 0, shape, {kRing, 0}, &x, "x"));
        const std::vector<Bits> bits = non_negative(s, thresholds(shown));
        return indicator(s, bits[static_cast<std::size_t>(which)], 8);
      };
      const double at = which == 0 ? 3000 : -3000;
      int ignored = 0;
      const auto is_right = [&](const Matrix& bits) {
        for (Eigen::Index i = 0; i < x.size(); ++i) {
          const double v = x.data()[i];
          if (v >= at) {
            EXPECT_EQ(bits.data()[i], 1) << v;
          } else if (v < at - (1 << kLow) + 1) {
            EXPECT_EQ(bits.data()[i], 0) << v;
          } else {
            ignored += bits.data()[i] == 1 ? 1 : 0;
          }
        }
      };
      is_right(revealed_in_the_clear(program));
      for (const int parties : {1, 2, 3, 5}) is_right(revealed_by_parties(parties, program));
      RunOptions options;
      options.source = gathered_correlations(2);
      is_right(revealed_by_parties(2, program, options));
      EXPECT_TRUE(ignored > 0 || shape.size() < 1000);  // the claim is not wider than needed
    }
  }
}

TEST(CoarseComparison, DealsAndSendsAsAComparisonOfSoManyBits) {
  const auto cost_of = [](int ring, int hi, int low) {
    Cost cost;
    run_parties(2, [&](Session& s, int rank) {
      const Matrix x = Matrix::Zero(128, 1);
      const Shown shown = show(s, input(s, 0, {128, 1}, {ring, 0}, &x, "x"));
      const Cost before = s.stated();
      const Comparison one{shown, hi, 0, low};
      non_negative(s, std::span(&one, 1));
      if (rank == 0) cost = s.stated() - before;
    });
    return cost;
  };
  EXPECT_EQ(cost_of(kRing, kHi, kLow).rounds, 2);
  EXPECT_EQ(cost_of(kRing, kHi, kLow), cost_of(kRing - kLow, kHi - kLow, 0));
}

TEST(Select, IsModuloANarrowerRing) {
  constexpr int kNarrow = 16;
  const Shape shape{130, 1};
  const Matrix x = near_thresholds(shape);
  const Function program = [&](Session& s) {
    const Shown shown = show(s, input(s, 0, shape, {kRing, 0}, &x, "x"));
    return select(s, non_negative(s, shown, kHi), shown, kNarrow);
  };
  const Matrix expected = x.unaryExpr([](double v) {
    const auto word = static_cast<std::uint64_t>(std::llround(std::max(v, 0.0))) & low_bits(kNarrow);
    return static_cast<double>(signed_value(word, kNarrow));
  });
  EXPECT_EQ(revealed_in_the_clear(program), expected);
  for (const int parties : {1, 2, 3, 5}) EXPECT_EQ(revealed_by_parties(parties, program), expected);
  RunOptions options;
  options.source = gathered_correlations(3);
  EXPECT_EQ(revealed_by_parties(3, program, options), expected);
}

}  // namespace
}  // namespace tacit::mpc
