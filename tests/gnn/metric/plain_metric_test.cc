// The twin's metrics against numbers computed by hand, by the definitions of scikit-learn.
#include "gnn/plain/plain_metric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gnn/data/preparation.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {
namespace {

// Two classes, with these scores of class 1.
Matrix scores(const std::vector<double>& of) {
  Matrix z = Matrix::Zero(std::ssize(of), 2);
  for (std::size_t i = 0; i < of.size(); ++i) z(static_cast<Eigen::Index>(i), 1) = of[i];
  return z;
}

double value(const Revealed& what, const Matrix& z, const Matrix& y) {
  return plain_metric(what, z, y, all_rows(z.rows())).value;
}

// y_true = [0, 0, 1, 1], y_score = [0.1, 0.4, 0.35, 0.8]: roc_auc_score 0.75, average_precision_score 0.8333 in the
// documentation of scikit-learn.
TEST(PlainMetric, RanksAsTheDocumentedExampleOfScikitLearn) {
  const Matrix y = one_hot({0, 0, 1, 1}, 2), z = scores({0.1, 0.4, 0.35, 0.8});
  EXPECT_NEAR(value({Metric::kRocAuc}, z, y), 0.75, 1e-12);
  EXPECT_NEAR(value({Metric::kAveragePrecision}, z, y), 0.5 + 0.5 * 2 / 3, 1e-12);
}

TEST(PlainMetric, CountsTiesHalfAndAsOneThreshold) {
  const Matrix y = one_hot({0, 1, 0, 1, 0}, 2), z = scores({0.5, 0.5, 0.5, 0.9, 0.1});
  EXPECT_NEAR(value({Metric::kRocAuc}, z, y), (3 + 1 + 0.5 + 0.5) / 6, 1e-12);
  EXPECT_NEAR(value({Metric::kAveragePrecision}, z, y), 0.5 * 1 + 0.5 * 2 / 4, 1e-12);
  const Matrix same = scores({1, 1, 1, 1, 1});
  EXPECT_NEAR(value({Metric::kRocAuc}, same, y), 0.5, 1e-12);
  EXPECT_NEAR(value({Metric::kAveragePrecision}, same, y), 0.4, 1e-12);
}

// y_true = [0, 1, 2, 0, 1, 2], y_pred = [0, 2, 1, 0, 0, 1]: in the documentation of scikit-learn, precision_score is
// 0.22 macro and 0.33 micro, recall_score 0.33 and 0.33, f1_score 0.26 and 0.33.
TEST(PlainMetric, AveragesAsTheDocumentedExampleOfScikitLearn) {
  const Matrix y = one_hot({0, 1, 2, 0, 1, 2}, 3), z = one_hot({0, 2, 1, 0, 0, 1}, 3);
  const auto averaged = [&](Metric metric, Average average) {
    Revealed what{metric};
    what.average = average;
    return value(what, z, y);
  };
  EXPECT_NEAR(averaged(Metric::kPrecision, Average::kMacro), 2.0 / 9, 1e-12);
  EXPECT_NEAR(averaged(Metric::kPrecision, Average::kMicro), 1.0 / 3, 1e-12);
  EXPECT_NEAR(averaged(Metric::kRecall, Average::kMacro), 1.0 / 3, 1e-12);
  EXPECT_NEAR(averaged(Metric::kF1, Average::kMacro), 0.8 / 3, 1e-12);
  EXPECT_NEAR(averaged(Metric::kF1, Average::kMicro), 1.0 / 3, 1e-12);
  EXPECT_NEAR(value({Metric::kF1}, z, y), 0.8 / 3, 1e-12) << "macro by default";
  const Matrix table = plain_metric({Metric::kConfusion}, z, y, all_rows(6)).table.value();
  Matrix expected(3, 3);
  expected << 2, 0, 0, 1, 0, 1, 0, 2, 0;
  EXPECT_EQ(table, expected);
}

// y_true = [3, -0.5, 2, 7], y_pred = [2.5, 0.0, 2, 8]: r2_score 0.948, explained_variance_score 0.957.
TEST(PlainMetric, ExplainsAsTheDocumentedExampleOfScikitLearn) {
  Matrix y(4, 1), z(4, 1);
  y << 3, -0.5, 2, 7;
  z << 2.5, 0, 2, 8;
  EXPECT_NEAR(value({Metric::kR2}, z, y), 0.9486081370449679, 1e-12);
  EXPECT_NEAR(value({Metric::kExplainedVariance}, z, y), 0.9571734475374732, 1e-12);
  EXPECT_EQ(value({Metric::kR2}, z, Matrix::Constant(4, 1, 2)), 0) << "targets that do not vary";
}

TEST(PlainMetric, OfAClassWithoutANodeIsZero) {
  const Matrix y = one_hot({0, 0, 0}, 2), z = one_hot({0, 0, 0}, 2), wrong = one_hot({1, 0, 0}, 2);
  for (const Metric metric :
       {Metric::kPrecision, Metric::kRecall, Metric::kF1, Metric::kRocAuc, Metric::kAveragePrecision}) {
    EXPECT_EQ(value({metric}, z, y), 0);
    EXPECT_EQ(value({metric}, wrong, y), 0);
  }
}

TEST(PlainMetric, LossesAreMeanCrossEntropies) {
  const Matrix y = one_hot({0, 1, 1}, 2), z = scores({1, 2, -1});
  const double losses = std::log1p(std::exp(1)) + std::log1p(std::exp(-2)) + std::log1p(std::exp(1));
  EXPECT_NEAR(value({Metric::kLogLoss}, z, y), losses / 3, 1e-12);
  Matrix weights(1, 2);
  weights << 0.5, 3;
  const PlainMeasureOptions options{{}, Objective::kCrossEntropy, {weights, 0}};
  EXPECT_NEAR(plain_metric({Metric::kLoss}, z, y, all_rows(3), options).value,
              (0.5 * std::log1p(std::exp(1)) + 3 * std::log1p(std::exp(-2)) + 3 * std::log1p(std::exp(1))) / 3, 1e-12);
}

}  // namespace
}  // namespace tacit::gnn
