// Regression data made from a law, and checks of results.
#pragma once

#include <cmath>

#include "bench/baselines/regression.h"
#include "bench/data/random_source.h"

namespace tacit::gnn {

inline Matrix normal_features(std::int64_t nodes, std::int64_t features, std::uint64_t seed) {
  RandomSource random(seed);
  return Matrix(nodes, features).unaryExpr([&random](double) { return random.normal(); });
}

inline double wavy_law(const Eigen::RowVectorXd& x) { return 50 + 10 * std::sin(2 * x(0)) + 5 * x(1) * x(1); }

// Features have different units. Five nodes in a row are three training nodes, one validation node and one that is
// neither.
template <class Law>
RegressionData regression_of(const Law& law, std::int64_t nodes, std::int64_t features, double noise,
                             std::uint64_t seed = 1) {
  RegressionData data{normal_features(nodes, features, seed), Matrix(nodes, 1), {}, {}};
  RandomSource random(~seed);
  for (std::int64_t node = 0; node < nodes; ++node) {
    data.y(node, 0) = law(data.x.row(node)) + noise * random.normal();
    if (node % 5 < 3) data.train.push_back(node);
    if (node % 5 == 3) data.validation.push_back(node);
  }
  for (Eigen::Index feature = 0; feature < features; ++feature) {
    const auto unit = static_cast<double>(feature + 1);
    data.x.col(feature) = unit * data.x.col(feature).array() + 10 * unit;
  }
  return data;
}

inline Rows neither(const RegressionData& data) {
  Rows rows;
  for (std::int64_t node = 4; node < data.x.rows(); node += 5) rows.push_back(node);
  return rows;
}

inline double rmse(const Matrix& predictions, const Matrix& y, const Rows& rows) {
  const Eigen::VectorXd errors = values_at(predictions - y, rows);
  return std::sqrt(errors.squaredNorm() / static_cast<double>(errors.size()));
}

// The gradient by central differences.
template <class Value>
Eigen::VectorXd measured_slope(const Value& value, const Eigen::VectorXd& at, double step = 1e-5) {
  Eigen::VectorXd slope(at.size());
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    Eigen::VectorXd above = at, below = at;
    above(i) += step;
    below(i) -= step;
    slope(i) = (value(above) - value(below)) / (2 * step);
  }
  return slope;
}

// Length scales, signal and noise that differ from each other.
inline Eigen::VectorXd uneven_logs(Eigen::Index lengths) {
  Eigen::VectorXd logs(lengths + 2);
  for (Eigen::Index i = 0; i < lengths; ++i) logs(i) = 0.3 + 0.25 * static_cast<double>(i);
  logs.tail(2) << 0.2, -1.1;
  return logs;
}

}  // namespace tacit::gnn
