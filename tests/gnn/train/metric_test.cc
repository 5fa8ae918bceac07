// What a sum reads as, and that one which cannot be is not read at all.
#include "gnn/train/metric.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tacit::gnn
