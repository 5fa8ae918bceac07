#include "bench/baselines/standardised.h"

#include <cmath>

namespace tacit::gnn {

namespace {

// The standard deviation of the values; 0 if it is nothing but rounding.
double deviation_of(const Eigen::VectorXd& values, double mean) {
  const double deviation = std::sqrt((values.array() - mean).square().mean());
  return deviation > 1e-12 * values.cwiseAbs().maxCoeff() ? deviation : 0;
}

double inverse_or_zero(double deviation) { return deviation > 0 ? 1 / deviation : 0; }

}  // namespace

Standardised standardised(const RegressionData& data) {
  check(data);
  Standardised result;
  result.x = data.x.transpose();
  result.train_x = result.x(Eigen::all, data.train);
  for (Eigen::Index feature = 0; feature < result.x.rows(); ++feature) {
    const Eigen::VectorXd values = result.train_x.row(feature);
    const double mean = values.mean(), scale = inverse_or_zero(deviation_of(values, mean));
    for (Points* points : {&result.x, &result.train_x}) {
      points->row(feature) = (points->row(feature).array() - mean) * scale;
    }
  }
  const Eigen::VectorXd targets = values_at(data.y, data.train);
  result.mean = targets.mean();
  result.deviation = deviation_of(targets, result.mean);
  result.train_y = (targets.array() - result.mean) * inverse_or_zero(result.deviation);
  return result;
}

Matrix Standardised::in_unit(const Eigen::VectorXd& predictions) const {
  return (predictions.array() * deviation + mean).matrix();
}

}  // namespace tacit::gnn
