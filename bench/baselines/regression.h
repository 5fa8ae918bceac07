// Regressions on plain data, each node by itself: baselines for the error of a graph network.
//
// A regression reads the features of all nodes and the targets of the training nodes. Ridge regression picks its
// penalty by the targets of the validation nodes. No other target is read. Equal data give equal results.
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
  Matrix variances;    // N × 1, of a reading with its noise; 0 × 0: the method has no variances
  std::string chosen;  // parameters that the data decided: "penalty 0.0316"
};

// Throws ConfigError unless there is one target and a training node, rows ascend within the nodes, and every number
// that is read is finite and below 1e100 (numbers are squared).
void check(const RegressionData& data);

// These rows of a matrix with one column.
Eigen::VectorXd values_at(const Matrix& column, const Rows& rows);

}  // namespace tacit::gnn
