// Reading rmse and mae from their revealed sums; an impossible sum is not read at all.
#include "gnn/metric/error_metric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gnn/arithmetic/sharing.h"
#include "gnn/metric/divergence.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/clear_session.h"

namespace tacit::gnn {
namespace {

TEST(ErrorMetric, ReadsMeansAndRefusesWhatLeftItsRing) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, {64, 13});
  const Tensor y(mpc::constant(session, Matrix::Zero(4, 1), {64, 13}, "y"), 1, "y");
  const ErrorMetric rmse(arithmetic, Metric::kRootMeanSquaredError, y, {});
  const auto read = [&](double sum) { return rmse.read(Matrix::Constant(1, 1, sum)).value; };
  EXPECT_DOUBLE_EQ(read(36), 3);
  EXPECT_EQ(read(-0.01), 0);  // rounding
  EXPECT_THROW(read(-10), TrainingDiverged);
}

double reading_of(Metric metric, double error, const mpc::Format& top, double unit) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, top);
  constexpr int kNodes = 60;
  const Tensor y(mpc::constant(session, Matrix::Constant(kNodes, 1, -15), top, "y"), 16, "y");
  Outputs z(Tensor(mpc::constant(session, Matrix::Constant(kNodes, 1, error - 15), top, "z"), 128, "z"));
  const int exponent = std::ilogb(unit) + 1;
  const Matrix mantissa = Matrix::Constant(1, 1, std::ldexp(unit, -exponent));
  const auto one = [&] { return mantissa; };
  const ErrorSum::Unit own{share_known(arithmetic, {1, 1}, one, Precision::kUnit, 1, "unit"), exponent};
  const ErrorMetric measure(arithmetic, metric, y, own);
  const mpc::Public total = mpc::reveal(session, measure.of(arithmetic, z).share(), mpc::To::everyone(), "total");
  double read = 0;
  session.output([&](const mpc::PublicReader& reader) { read = measure.read(reader(total)).value; });
  return read;
}

// Small and large sums.
TEST(ErrorMetric, ReadsErrorsOfEverySizeInEveryUnitWithinHalfAPercent) {
  for (const double error : {0.03125, 0.5, 3.9, 17.0, 60.0}) {
    for (const double unit : {1e-9, 3e-4, 0.05, 1.0, 20.0, 3000.0, 1e9}) {
      for (const Metric metric : {Metric::kRootMeanSquaredError, Metric::kMeanAbsoluteError}) {
        const double expected = error * unit;
        EXPECT_NEAR(reading_of(metric, error, {64, 13}, unit), expected, 0.005 * expected) << error << " x " << unit;
        EXPECT_NEAR(reading_of(metric, error, {48, 12}, unit), expected, 0.005 * expected) << error << " x " << unit;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::gnn
