// The predictions of a posterior for all nodes, in the target's unit.
#pragma once

#include <algorithm>

#include "bench/baselines/exact_posterior.h"

namespace tacit::gnn {

template <class Posterior>
Regression posterior_regression(const Posterior& posterior, const Standardised& data, std::string chosen) {
  constexpr Eigen::Index kAtOnce = 1024;  // nodes; keeps the covariance with the training nodes small
  const Eigen::Index nodes = data.x.cols();
  Regression result{Matrix(nodes, 1), Matrix(nodes, 1), std::move(chosen)};
  for (Eigen::Index first = 0; first < nodes; first += kAtOnce) {
    const Eigen::Index count = std::min(kAtOnce, nodes - first);
    const Marginals marginals = posterior.at(data.x.middleCols(first, count));
    result.predictions.middleRows(first, count) = data.in_unit(marginals.means);
    result.variances.middleRows(first, count) = data.deviation * data.deviation * marginals.variances;
  }
  return result;
}

}  // namespace tacit::gnn
