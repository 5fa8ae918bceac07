// Standardised — regression data as the methods take it: columns with mean 0 and deviation 1 over the nodes to train
// on.
#pragma once

#include <Eigen/Core>

#include "bench/baselines/regression.h"

namespace tacit::gnn {

using Points = Eigen::MatrixXd;  // F × n: a column for each node

struct Standardised {
  Points x;                        // all nodes; 0 for a feature that does not vary among the training nodes
  Points train_x;                  // the training nodes
  Eigen::VectorXd train_y;         // 0 where all targets are the same
  double mean = 0, deviation = 1;  // of the training targets, in the targets' unit

  Matrix in_unit(const Eigen::VectorXd& predictions) const;
};

// Throws ConfigError as check() does.
Standardised standardised(const RegressionData& data);

}  // namespace tacit::gnn
