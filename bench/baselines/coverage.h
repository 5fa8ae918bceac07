// How well a regression knows its own error: the interval that holds 95 % of a normal distribution, and the part of the
// targets in it.
#pragma once

#include "bench/baselines/regression.h"

namespace tacit::gnn {

// The middle of an interval is the prediction. With right variances 95 % are covered; less means that the variances are
// too small.
struct Coverage {
  double covered = 0;    // the part of the nodes with their target in the interval
  double deviation = 0;  // the root of the mean variance, in the target's unit
};

// Counts these nodes. Throws ConfigError if there is no node, or the regression has no variances.
Coverage coverage(const Regression& made, const Matrix& y, const Rows& rows);

}  // namespace tacit::gnn
