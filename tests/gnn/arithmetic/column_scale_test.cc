// Scaling across owners, on shares, gives the result of a single owner of everything.
#include "gnn/arithmetic/column_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "gnn/arithmetic/sharing.h"
#include "gnn/data/preparation.h"
#include "gnn/train/range_left.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"
#include "tests/gnn/data/refusal.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

// Columns of very different size: a fraction, a temperature, a pressure in pascal, counts.
Matrix columns_of(std::int64_t rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> draw(0, 1);
  const std::vector<std::pair<double, double>> kinds{{0.3, 0.02}, {15, 8}, {101325, 900}, {4000, 2500}, {0, 0.005}};
  Matrix x(rows, std::ssize(kinds));
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    const auto [mean, deviation] = kinds[static_cast<std::size_t>(c)];
    for (Eigen::Index r = 0; r < rows; ++r) {
      x(r, c) = mean + deviation * draw(random) + (r < rows / 3 ? deviation : 0);  // owners differ
    }
  }
  return x;
}

struct Scaled {
  Matrix values, deviation;
};

// The first `split` rows are at the first party, the others at the last. Elements that are NaN are missing.
Scaled scaled(mpc::Session& session, const Matrix& x, std::int64_t split, mpc::Format top,
              std::optional<double> cut = std::nullopt) {
  Arithmetic arithmetic(session, top);
  const int last = session.parties() - 1;
  const Matrix upper = x.topRows(split), lower = x.bottomRows(x.rows() - split);
  const std::vector<OwnedRows> owners{{0, upper.rows(), &upper}, {last, lower.rows(), &lower}};
  const bool missing = x.hasNaN();
  const ColumnScale scale =
      scale_of_columns(arithmetic, owners, x.cols(), missing ? Elements::kMayBeMissing : Elements::kComplete);
  const Matrix zeros = with_zeros_for_missing(x), ones = known(x);
  const Tensor whole = share_input(arithmetic, 0, mpc::shape_of(x), &zeros, Precision::kRaw, 1 << 30, "x");
  std::optional<Tensor> known;
  if (missing) known = share_input(arithmetic, 0, mpc::shape_of(x), &ones, Precision::kRawWhole, 1, "known");
  const mpc::Public values =
      reveal(arithmetic, standardised(arithmetic, whole, scale, cut, known), mpc::To::everyone(), "standardised");
  const mpc::Public deviation = mpc::reveal(session, scale.deviation, mpc::To::everyone(), "deviation");
  Scaled seen;
  session.output([&](const mpc::PublicReader& read) { seen = {read(values), read(deviation)}; });
  return seen;
}

void expect_standardised(const Scaled& found, const Matrix& x, double unit) {
  const Matrix expected = standardised(x);
  EXPECT_LE((found.values - expected).cwiseAbs().maxCoeff(), 0.004 * expected.cwiseAbs().maxCoeff() + 2 * unit);
  const Eigen::RowVectorXd ratio = found.deviation.row(0).array() / deviations(x).array();
  for (Eigen::Index c = 0; c < ratio.size(); ++c) {
    const double deviation = deviations(x)(c);
    EXPECT_NEAR(ratio(c), 1, 0.02 + 2 * unit / deviation + std::ldexp(5, -20) / (deviation * deviation))
        << "column " << c;
  }
}

TEST(SharedScaling, OfColumnsIsThatOfASingleOwner) {
  const Matrix x = columns_of(60, 1);
  for (const mpc::Format top : {mpc::Format{64, 13}, {64, 16}, {48, 12}}) {
    mpc::ClearSession clear;
    expect_standardised(scaled(clear, x, 25, top), x, std::ldexp(1, -top.fraction_bits));
    for (const int parties : {2, 3, 5}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const Scaled found = scaled(session, x, 25, top);
        if (rank == 0) expect_standardised(found, x, std::ldexp(parties, -top.fraction_bits));
      });
    }
  }
}

// An owner of one row of 300, which is far from the others: most of the variance is between the owners.
TEST(SharedScaling, IsThatOfASingleOwnerHoweverFewRowsAnOwnerHas) {
  Matrix x = columns_of(300, 6);
  x.row(0) += 40 * deviations(x).row(0);
  mpc::ClearSession clear;
  expect_standardised(scaled(clear, x, 1, {64, 13}), x, 0x1p-13);
  mpc::run_parties(2, [&](mpc::Session& session, int rank) {
    const Scaled found = scaled(session, x, 1, {64, 13});
    if (rank == 0) expect_standardised(found, x, 0x1p-12);
  });
}

// Every fifth element is missing. The first owner has no element of column 1, and one of column 3.
Matrix with_missing(Matrix x, std::int64_t split) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      if ((3 * r + 2 * c) % 5 == 0 || (r < split && (c == 1 || (c == 3 && r > 0)))) x(r, c) = kMissing;
    }
  }
  x(0, 3) = 4100;
  return x;
}

TEST(SharedScaling, GivesMissingElementsTheMeanOfAllOwners) {
  constexpr std::int64_t kSplit = 25;
  const Matrix x = with_missing(columns_of(60, 4), kSplit), whole = filled(x);
  const auto expect_filled = [&](const Scaled& found, double unit) {
    expect_standardised(found, whole, unit);
    EXPECT_LE(x.array().isNaN().select(found.values, 0).cwiseAbs().maxCoeff(), 2 * unit) << "a missing one is 0";
  };
  for (const mpc::Format top : {mpc::Format{64, 13}, {64, 16}, {48, 12}}) {
    mpc::ClearSession clear;
    expect_filled(scaled(clear, x, kSplit, top), std::ldexp(1, -top.fraction_bits));
    for (const int parties : {2, 3, 5}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const Scaled found = scaled(session, x, kSplit, top);
        if (rank == 0) expect_filled(found, std::ldexp(parties, -top.fraction_bits));
      });
    }
  }
}

// Owners that know two elements each of 20,000 rows, and disagree.
TEST(SharedScaling, IsThatOfASingleOwnerHoweverFewElementsAreKnown) {
  Matrix x = Matrix::Constant(20'000, 2, std::numeric_limits<double>::quiet_NaN());
  x(3, 0) = 1, x(4, 0) = 1.5, x(15'000, 0) = 5, x(15'001, 0) = 5.5;
  x(3, 1) = x(4, 1) = -200, x(15'000, 1) = x(15'001, 1) = 300;
  const Matrix expected = standardised(filled(x));
  mpc::run_parties(2, [&](mpc::Session& session, int rank) {
    const Scaled found = scaled(session, x, 10'000, {64, 13}, 100);
    if (rank != 0) return;
    EXPECT_LE((found.values - expected).cwiseAbs().maxCoeff(), 0.4);
  });
}

TEST(SharedScaling, RefusesAColumnThatNobodyHas) {
  Matrix x = columns_of(60, 5);
  x.col(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  mpc::ClearSession clear;
  EXPECT_THAT(refusal([&] {
                scaled(clear, x, 25, {64, 13});
              }),
              testing::HasSubstr("x, column 2: every feature is missing, at every party"));
}

TEST(SharedScaling, CutsColumnsOfOwnersOfRowsLikeASingleOwner) {
  constexpr double kCut = 1.25;
  Matrix x = columns_of(60, 3);
  x.row(7) += 10 * deviations(x).row(0);  // heavy tails
  const Matrix uncut = standardised(x), expected = cut_at(uncut, kCut);
  ASSERT_GT(uncut.cwiseAbs().maxCoeff(), 5);
  for (const mpc::Format top : {mpc::Format{64, 13}, {48, 12}}) {
    const auto expect_cut = [&](const Matrix& found, int parties) {
      const double unit = std::ldexp(parties, -top.fraction_bits);
      EXPECT_LE(found.cwiseAbs().maxCoeff(), kCut + unit);
      EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 0.004 * kCut + 2 * unit);
    };
    mpc::ClearSession clear;
    expect_cut(scaled(clear, x, 25, top, kCut).values, 1);
    for (const int parties : {2, 3, 5}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const Scaled found = scaled(session, x, 25, top, kCut);
        if (rank == 0) expect_cut(found.values, parties);
      });
    }
  }
}

// As a feature it was 0 in training, so its weights are the initial ones, and another value in other data must not count.
TEST(SharedScaling, OfOtherDataIsZeroInAColumnThatWasConstant) {
  Matrix x = columns_of(12, 2), other = x.topRows(1);
  x.col(1).setConstant(-20'000);
  other(0, 1) = -20'000.03;
  mpc::run_parties(2, [&](mpc::Session& session, int rank) {
    Arithmetic arithmetic(session, {64, 13});
    const Matrix upper = x.topRows(1), lower = x.bottomRows(11);
    const ColumnScale scale = scale_of_columns(arithmetic, {{0, 1, &upper}, {1, 11, &lower}}, x.cols());
    const Tensor raw = share_input(arithmetic, 0, mpc::shape_of(other), &other, Precision::kRaw, 1 << 30, "x");
    const mpc::Public values = reveal(arithmetic, standardised_other(arithmetic, raw, scale, std::nullopt),
                                      mpc::To::everyone(), "standardised");
    session.output([&](const mpc::PublicReader& read) {
      if (rank == 0) {
        EXPECT_LE(std::abs(read(values)(0, 1)), 0.001);
      }
    });
  });
}

struct OfOther {
  double value = 0;
  bool found = false;  // by the range watch
};

// One element of other data, so many deviations from the mean.
OfOther scaled_other(double deviations_away, double declared) {
  const Matrix x = columns_of(60, 1);
  const Statistics of = statistics_of(x);
  Matrix other = of.mean;
  other(0, 1) += deviations_away * of.deviation(0, 1);
  OfOther seen;
  mpc::run_parties(
      2,
      [&](mpc::Session& session, int rank) {
        Arithmetic arithmetic(session, {64, 13}, {.features = declared});
        const Matrix upper = x.topRows(25), lower = x.bottomRows(35);
        const ColumnScale scale = scale_of_columns(arithmetic, {{0, 25, &upper}, {1, 35, &lower}}, x.cols());
        const Tensor raw = share_input(arithmetic, 0, mpc::shape_of(other), &other, Precision::kRaw, 1 << 30, "x");
        mpc::RangeAudit audit(session, kWatchedGroups);
        arithmetic.watch_with(&audit);
        const Tensor result = standardised_other(arithmetic, raw, scale, std::nullopt);
        const bool found = !groups_that_left(arithmetic, audit).empty();
        arithmetic.watch_with(nullptr);
        const mpc::Public values = reveal(arithmetic, result, mpc::To::everyone(), "standardised");
        session.output([&](const mpc::PublicReader& read) {
          if (rank == 0) seen = {read(values)(0, 1), found};
        });
      },
      {.planned = false});
  return seen;
}

// The watch finds an element beyond 3B, B the power of two above the range, or beyond 3 · 2^10. Nearer, it may pass if it is right.
TEST(SharedScaling, OfOtherDataIsRightOrFound) {
  for (const double declared : {16.0, 500.0, 4095.0}) {
    const double certain = std::min(3 * std::exp2(std::ilogb(declared) + 1), 3072.0);
    for (const double away : {12.0, -15.9, 40.0, 93.0, 277.0, 1024.0, -1500.0, 1900.0, -2300.0, 2900.0, 3300.0, -4096.0,
                              4100.0, 65536.0, 1e6}) {
      for (int time = 0; time < 4; ++time) {
        const OfOther seen = scaled_other(away, declared);
        SCOPED_TRACE(testing::Message() << away << " deviations of " << declared << ", value " << seen.value);
        if (std::abs(away) <= std::min(declared, 1000.0)) {
          EXPECT_FALSE(seen.found);
        }
        if (std::abs(away) > 1.01 * certain) {
          EXPECT_TRUE(seen.found);
        }
        EXPECT_TRUE(seen.found || std::abs(seen.value - away) <= 0.005 * std::abs(away));
      }
    }
  }
}

TEST(SharedScaling, OfAColumnThatSaysNothingIsZero) {
  Matrix x = columns_of(12, 2);
  x.col(1).setConstant(7.25);
  mpc::run_parties(3, [&](mpc::Session& session, int rank) {
    const Scaled found = scaled(session, x, 1, {64, 13});
    if (rank == 0) {
      EXPECT_LE(found.values.col(1).cwiseAbs().maxCoeff(), 0.01);
    }
  });
}

TEST(SharedScaling, OfRowsMakesTheirSumOne) {
  Matrix x = columns_of(20, 3).cwiseAbs().leftCols(2);
  x.col(1) /= 20;
  x.row(4).setZero();
  for (const int parties : {2, 3}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      Arithmetic arithmetic(session, {64, 13});
      const Matrix sums = x.rowwise().sum();
      const Tensor shared = share_input(arithmetic, 0, mpc::shape_of(x), &x, Precision::kValue, 1 << 20, "x");
      const Tensor total = share_input(arithmetic, 1, {x.rows(), 1}, &sums, Precision::kValue, 1 << 20, "sums");
      const mpc::Public seen =
          reveal(arithmetic, divided_by_rows(arithmetic, shared, total), mpc::To::everyone(), "scaled");
      session.output([&](const mpc::PublicReader& read) {
        if (rank != 0) return;
        EXPECT_LE((read(seen) - with_rows_of_sum_1(x)).cwiseAbs().maxCoeff(), 4e-3);
      });
    });
  }
}

}  // namespace
}  // namespace tacit::gnn
