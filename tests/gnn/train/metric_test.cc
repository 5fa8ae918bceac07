// What a sum reads as, and that one which cannot be is not read at all.
#include "gnn/train/metric.h"

#include <gtest/gtest.h>

#include "gnn/graph/rows.h"
#include "gnn/train/divergence.h"
#include "mpc/session/clear_session.h"

namespace tacit::gnn {
namespace {

TEST(Measure, ReadsMeansAndRefusesWhatLeftItsRing) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, {64, 13});
  const Tensor y(session.constant(Matrix::Zero(4, 1), {64, 13}, "y"), 1, "y");
  const Measure rmse(arithmetic, Metric::kRootMeanSquaredError, y, Selection::of({0, 1, 2, 3}, 4));
  EXPECT_DOUBLE_EQ(rmse.reading(36), 3);
  EXPECT_EQ(rmse.reading(-0.01), 0);  // rounding
  EXPECT_THROW(rmse.reading(-10), TrainingDiverged);
}

double reading_of(Metric metric, double error, const mpc::Format& top, double unit) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, top);
  constexpr int kNodes = 60;
  const Tensor y(session.constant(Matrix::Constant(kNodes, 1, -15), top, "y"), 16, "y");
  const Tensor z(session.constant(Matrix::Constant(kNodes, 1, error - 15), top, "z"), 128, "z");
  const Tensor in_unit(session.constant(Matrix::Constant(1, 1, unit), top, "unit"), 4096, "unit");
  const Measure measure(arithmetic, metric, y, Selection::of(all_rows(kNodes), kNodes), in_unit);
  const mpc::Public total = session.reveal(measure.total(arithmetic, z).share(), mpc::To::everyone(), "total");
  double read = 0;
  session.output([&](const mpc::PublicReader& reader) { read = measure.reading(reader(total)(0, 0)); });
  return read;
}

// However far predictions are off, as long as they are what a ring of 64 bits is declared to hold.
TEST(Measure, ReadsLargeErrorsToo) {
  for (const double error : {0.5, 3.9, 17.0, 60.0}) {
    for (const double unit : {0.5, 20.0, 3000.0}) {
      EXPECT_NEAR(reading_of(Metric::kRootMeanSquaredError, error, {64, 13}, unit), error * unit, 0.01 * error * unit);
      EXPECT_NEAR(reading_of(Metric::kMeanAbsoluteError, error, {64, 13}, unit), error * unit, 0.01 * error * unit);
    }
  }
  EXPECT_NEAR(reading_of(Metric::kRootMeanSquaredError, 3.5, {48, 12}, 20), 70, 1) << "less in a narrower one";
}

}  // namespace
}  // namespace tacit::gnn
