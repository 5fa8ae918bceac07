#include "gnn/plain/plain_metric.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gnn/metric/binned_ranking.h"

namespace tacit::gnn {

namespace {

std::int64_t likeliest(const Matrix& rows, std::int64_t row) {
  Eigen::Index column = 0;
  rows.row(row).maxCoeff(&column);
  return column;
}

double ratio(double part, double all) { return all == 0 ? 0 : part / all; }

Matrix errors(const Matrix& z, const Matrix& y, const Rows& rows, const Matrix& unit) {
  Matrix error = z(rows, Eigen::all) - y(rows, Eigen::all);
  if (unit.size() > 0) error.array().rowwise() *= unit.row(0).array();
  return error;
}

// Row r, column c: nodes of class r that are predicted as class c.
Matrix confusion(const Matrix& z, const Matrix& y, const Rows& rows) {
  Matrix counts = Matrix::Zero(y.cols(), y.cols());
  for (const std::int64_t row : rows) ++counts(likeliest(y, row), likeliest(z, row));
  return counts;
}

double rate(Metric metric, const Matrix& counts, std::int64_t of_class) {
  const double right = counts(of_class, of_class), predicted = counts.col(of_class).sum(),
               own = counts.row(of_class).sum();
  if (metric == Metric::kPrecision) return ratio(right, predicted);
  return metric == Metric::kRecall ? ratio(right, own) : ratio(2 * right, predicted + own);
}

double class_rate(const Revealed& what, const Matrix& counts) {
  const std::int64_t classes = counts.rows();
  if (what.average == Average::kMicro) return counts.trace() / counts.sum();
  if (const auto one = class_of(what, classes)) return rate(what.metric, counts, *one);
  double sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) sum += rate(what.metric, counts, c);
  return sum / static_cast<double>(classes);
}

double score(const Matrix& z, std::int64_t row, std::int64_t of_class) {
  double largest = -INFINITY, sum = 0;
  for (Eigen::Index c = 0; c < z.cols(); ++c) {
    if (c != of_class) largest = std::max(largest, z(row, c));
  }
  for (Eigen::Index c = 0; c < z.cols(); ++c) {
    if (c != of_class) sum += std::exp(z(row, c) - largest);
  }
  return z(row, of_class) - largest - std::log(sum);
}

struct Counted {
  double positive = 0, negative = 0;
};

// Nodes with equal scores are one threshold. In a bin they count as if their order were random.
double ranking(const Revealed& what, const Matrix& z, const Matrix& y, const Rows& rows) {
  const std::int64_t of_class = class_of(what, y.cols()).value();
  const std::vector<double> edges = what.bins > 0 ? edges_of_bins(what.bins) : std::vector<double>();
  std::map<double, Counted, std::greater<>> by_score;
  Counted all;
  for (const std::int64_t row : rows) {
    double at = score(z, row, of_class);
    if (what.bins > 0) at = static_cast<double>(std::upper_bound(edges.begin(), edges.end(), at) - edges.begin());
    double Counted::*const kind = y(row, of_class) > 0.5 ? &Counted::positive : &Counted::negative;
    ++(by_score[at].*kind);
    ++(all.*kind);
  }
  Counted above;
  double auc = 0, precision = 0;
  for (const auto& [at, tied] : by_score) {
    auc += tied.positive * (all.negative - above.negative - tied.negative / 2);
    const double in_order = above.positive + above.negative, in_bin = tied.positive + tied.negative;
    precision += tied.positive * (what.bins > 0 ? (2 * above.positive + tied.positive + 1) / (2 * in_order + in_bin + 1)
                                                : (above.positive + tied.positive) / (in_order + in_bin));
    above.positive += tied.positive;
    above.negative += tied.negative;
  }
  return what.metric == Metric::kRocAuc ? ratio(auc, all.positive * all.negative) : ratio(precision, all.positive);
}

double explained(Metric metric, const Matrix& z, const Matrix& y, const Rows& rows) {
  constexpr double kLeastVariance = 1.0 / (1 << 14);
  const Matrix error = errors(z, y, rows, {}), labels = y(rows, Eigen::all);
  double sum = 0;
  for (Eigen::Index c = 0; c < y.cols(); ++c) {
    const double variance = (labels.col(c).array() - labels.col(c).mean()).square().mean();
    if (variance < kLeastVariance) continue;
    const double mean = metric == Metric::kExplainedVariance ? error.col(c).mean() : 0;
    sum += 1 - (error.col(c).array() - mean).square().mean() / variance;
  }
  return sum / static_cast<double>(y.cols());
}

}  // namespace

Measured plain_metric(const Revealed& what, const Matrix& z, const Matrix& y, const Rows& rows,
                      const PlainMeasureOptions& options) {
  switch (what.metric) {
    case Metric::kRootMeanSquaredError:
      return {std::sqrt(errors(z, y, rows, options.unit).array().square().mean()), {}};
    case Metric::kMeanAbsoluteError:
      return {errors(z, y, rows, options.unit).cwiseAbs().mean(), {}};
    case Metric::kAccuracy:
    case Metric::kConfusion:
      break;
    case Metric::kPrecision:
    case Metric::kRecall:
    case Metric::kF1:
      return {class_rate(what, confusion(z, y, rows)), {}};
    case Metric::kRocAuc:
    case Metric::kAveragePrecision:
      return {ranking(what, z, y, rows), {}};
    case Metric::kLogLoss:
      return {kind_of(Objective::kCrossEntropy).plain(z, y, rows, {}).value, {}};
    case Metric::kLoss:
      return {kind_of(options.objective).plain(z, y, rows, options.loss).value, {}};
    case Metric::kR2:
    case Metric::kExplainedVariance:
      return {explained(what.metric, z, y, rows), {}};
  }
  const Matrix counts = confusion(z, y, rows);
  Measured measured{counts.trace() / counts.sum(), {}};
  if (what.metric == Metric::kConfusion) measured.table = counts;
  return measured;
}

}  // namespace tacit::gnn
