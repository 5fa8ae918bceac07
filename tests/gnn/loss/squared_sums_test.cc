// Sums of squared and absolute errors of any size within their range, in every ring: the loss, rmse and mae. The expected sums are in
// double precision, of errors that lie at the limit of their range.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gnn/arithmetic/default_ranges.h"
#include "gnn/arithmetic/error_sum.h"
#include "gnn/arithmetic/quotients.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/loss/mean_squared_error.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"
#include "net/error.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr double kSumRange = 1023;
const std::vector<mpc::Format> kSumTops = {{48, 12}, {48, 16}, {56, 13}, {56, 18}, {64, 13}, {64, 20}};

enum class Size { kAtTheLimit, kOfOne, kMixed };

Matrix errors_of(Size size, mpc::Shape shape, double limit) {
  Matrix errors(shape.rows, shape.cols);
  for (Eigen::Index i = 0; i < errors.size(); ++i) {
    const double sign = i % 3 == 0 ? -1 : 1;
    const bool large = size == Size::kAtTheLimit || (size == Size::kMixed && i % 2 == 0);
    errors.data()[i] = sign * (large ? limit : 0.25 + static_cast<double>(i % 4) / 4);
  }
  return errors;
}

Matrix some_targets(mpc::Shape shape) {
  return Matrix::NullaryExpr(shape.rows, shape.cols, [](Eigen::Index r, Eigen::Index c) {
    return static_cast<double>((r * 7 + c * 3) % 16) - 8;
  });
}

// Calls the program in the clear and among parties; the last ring is as narrow as a layer leaves it.
void at_all(const std::vector<int>& parties, const std::function<void(mpc::Session&, int)>& program) {
  for (const int n : parties) {
    SCOPED_TRACE(n);
    if (n > 1) {
      mpc::run_parties(n, program);
      continue;
    }
    mpc::ClearSession clear;
    program(clear, 0);
  }
}

Tensor given(mpc::Session& session, const Matrix& values, mpc::Format format, double bound, const char* name) {
  return Tensor(mpc::input(session, 0, mpc::shape_of(values), format, &values, name), bound, name);
}

mpc::Format narrow_format(mpc::Format top, double bound) {
  return {std::max(mpc::room_for(top.fraction_bits, bound), top.ring_bits - 7 - top.fraction_bits), top.fraction_bits};
}

// The narrowest and the widest ring of an error.
std::vector<mpc::Format> formats_of_error(mpc::Format top) {
  const mpc::Format narrowest{mpc::room_for(top.fraction_bits, 2 * kSumRange), top.fraction_bits};
  return {narrowest, narrow_format(top, 2 * kSumRange), top};
}

void expect_number(mpc::Session& session, const Tensor& told, double per_total, double expected, double error) {
  const mpc::Public total = mpc::reveal(session, told.share(), mpc::To::everyone(), "number");
  session.output([&](const mpc::PublicReader& read) {
    if (read.seen(total)) {
      EXPECT_NEAR(read(total)(0, 0) * per_total, expected, error);
    }
  });
}

void expect_loss(const std::vector<int>& parties, mpc::Format top, mpc::Format format, mpc::Shape shape, Size size) {
  const Matrix y = some_targets(shape), errors = errors_of(size, shape, kSumRange), z = y + errors;
  const double mean = errors.squaredNorm() / static_cast<double>(shape.size());
  SCOPED_TRACE(testing::Message() << "ring " << top.ring_bits << ", " << top.fraction_bits
                                  << " fraction bits, error in " << format.ring_bits << ", " << shape.rows << " x "
                                  << shape.cols);
  at_all(parties, [&](mpc::Session& session, int) {
    Arithmetic arithmetic(session, top, {.gradients = kSumRange});
    MeanSquaredError loss(arithmetic, given(session, y, top, 512, "y"),
                          Selection::of(all_rows(shape.rows), shape.rows));
    const double rounding = 0.05 / static_cast<double>(shape.size()) + 1e-4 * mean;
    const Loss::Result result =
        loss.of(arithmetic, given(session, z, format, 2 * kSumRange, "z"), Loss::Value::kWanted);
    expect_number(session, result.total(), loss.loss_per_total(), mean, rounding);
    Outputs outputs(given(session, z, format, 2 * kSumRange, "z"));
    expect_number(session, loss.total(arithmetic, outputs), loss.loss_per_total(), mean, rounding);
  });
}

TEST(SquaredSums, OfALossAreThoseOfDoubleArithmetic) {
  for (const mpc::Format top : kSumTops) {
    for (const mpc::Format format : formats_of_error(top)) {
      for (const mpc::Shape shape : {mpc::Shape{1, 1}, mpc::Shape{7, 1}, mpc::Shape{20, 3}, mpc::Shape{300, 2}}) {
        for (const Size size : {Size::kAtTheLimit, Size::kOfOne, Size::kMixed}) {
          expect_loss(shape.rows == 20 ? std::vector<int>{1, 2, 3, 5} : std::vector<int>{1}, top, format, shape, size);
        }
      }
    }
  }
  expect_loss({1, 2}, {64, 13}, {64, 13}, {60'000, 1}, Size::kAtTheLimit);
  expect_loss({1, 2}, {48, 12}, {35, 12}, {60'000, 1}, Size::kAtTheLimit);
}

// Batches of unlike sizes take both paths. Their totals have one format.
TEST(SquaredSums, OfBatchesAddUp) {
  for (const mpc::Format top : kSumTops) {
    for (const double range : {kSumRange, 65535.0}) {
      if (range > kSumRange && top.fraction_bits > 13) continue;
      SCOPED_TRACE(testing::Message() << top.ring_bits << ", " << top.fraction_bits << ", " << range);
      const std::vector<std::int64_t> rows = {1, 2, 50, 400};
      at_all({1, 2, 3}, [&](mpc::Session& session, int) {
        Arithmetic arithmetic(session, top, {.gradients = range});
        LossOptions options;
        options.rows_in_all = 453;
        std::vector<mpc::Share> shares;
        for (const std::int64_t some : rows) {
          const Matrix y = some_targets({some, 1}), z = y + errors_of(Size::kAtTheLimit, {some, 1}, range);
          MeanSquaredError loss(arithmetic, given(session, y, top, 512, "y"), Selection::of(all_rows(some), some),
                                options);
          const mpc::Format format = narrow_format(top, 2 * range);
          const Loss::Result result =
              loss.of(arithmetic, given(session, z, format, 2 * range, "z"), Loss::Value::kWanted);
          shares.push_back(result.total().share());
          EXPECT_EQ(shares.back().fraction_bits(), shares.front().fraction_bits());
        }
        shares = in_words(session, shares);
        mpc::Share sum = shares.front();
        for (std::size_t i = 1; i < shares.size(); ++i) sum = sum + shares[i];
        expect_number(session, Tensor(sum, 453 * range * range, "sum"), 1.0 / 453, range * range, 1e-4 * range * range);
      });
    }
  }
}

void expect_error_sum(ErrorSum::Of of, mpc::Format top, mpc::Shape shape, Size size, std::optional<double> unit) {
  constexpr double kOfOutputs = 128, kOfTargets = 16, kMost = kOfOutputs + kOfTargets;
  const Matrix errors = errors_of(size, shape, kMost);
  const bool squares = of == ErrorSum::Of::kSquares;
  double expected = squares ? errors.squaredNorm() : errors.lpNorm<1>();
  if (unit) expected *= squares ? *unit * *unit : *unit;
  SCOPED_TRACE(testing::Message() << (squares ? "squares" : "absolute errors") << ", ring " << top.ring_bits << ", "
                                  << top.fraction_bits << " fraction bits, " << shape.rows << " x " << shape.cols
                                  << (unit ? ", unit" : ""));
  at_all(shape.rows <= 20 ? std::vector<int>{1, 2, 3, 5} : std::vector<int>{1}, [&](mpc::Session& session, int) {
    Arithmetic arithmetic(session, top, kDefaultRanges);
    std::optional<ErrorSum::Unit> own;
    const auto units = [&]() -> Matrix { return Matrix::Constant(1, shape.cols, *unit); };
    if (unit) own = ErrorSum::Unit{share_known(arithmetic, {1, shape.cols}, units, Precision::kUnit, 1, "unit"), 0};
    const ErrorSum sum(arithmetic, of, kMost, shape, own, {"sum", "ranges"});
    const Tensor error =
        given(session, errors, {mpc::room_for(top.fraction_bits, kMost), top.fraction_bits}, kMost, "error");
    expect_number(session, sum.of(arithmetic, error), 1, expected, 0.005 * expected + 0.05);
  });
}

TEST(SquaredSums, OfMetricsAreThoseOfDoubleArithmetic) {
  for (const mpc::Format top : kSumTops) {
    for (const mpc::Shape shape : {mpc::Shape{1, 1}, mpc::Shape{20, 3}, mpc::Shape{2000, 1}}) {
      for (const Size size : {Size::kAtTheLimit, Size::kOfOne}) {
        for (const std::optional<double> unit : {std::optional<double>(), std::optional(0.75)}) {
          expect_error_sum(ErrorSum::Of::kSquares, top, shape, size, unit);
          expect_error_sum(ErrorSum::Of::kAbsolute, top, shape, size, unit);
        }
      }
    }
  }
}

TEST(SquaredSums, AreRefusedWhereNoWordHoldsThem) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, {64, 13});
  EXPECT_NO_THROW(SumOfSquares(arithmetic, 1 << 16, 1'000'000, 13, {"the loss", "[ranges] gradients"}));
  try {
    const SumOfSquares squares(arithmetic, 1 << 20, 1'000'000, 13, {"the loss", "[ranges] gradients"});
    FAIL() << "it has no room";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "the loss: the sum of 1000000 squares of errors up to 1.04858e+06 does not fit 64 bits; declare a "
                 "smaller range in [ranges] gradients, or scale the targets (preprocessing.targets = \"standardise\")");
  }
}

}  // namespace
}  // namespace tacit::gnn
