// Regressions on plain data, each node by itself: what a graph network's error is shown beside.
//
// They see the features of all nodes and the targets of the nodes to train on; the penalty of ridge regression is
// picked by those of the validation nodes. No other target is looked at. Equal data give equal results.
#pragma once

#include <string>

#include "gnn/graph/rows.h"

namespace tacit::gnn {

struct RegressionData {
  Matrix x;  // N × F, in any units: columns are standardised by the nodes to train on
  Matrix y;  // N × 1
  Rows train, validation;
};

struct Regression {
  Matrix predictions;  // N × 1, in the target's unit
  Matrix variances;    // N × 1, of a reading, its noise included; 0 × 0 where the method knows none
  std::string chosen;  // what the data decided: "penalty 0.0316"
};

// Throws ConfigError unless there is one target, a node to train on, rows ascend within the nodes, and every number
// that is looked at is finite, and below 1e100: it will be squared.
void check(const RegressionData& data);

// These rows of a matrix with one column.
Eigen::VectorXd values_at(const Matrix& column, const Rows& rows);

}  // namespace tacit::gnn
