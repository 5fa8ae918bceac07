// Ridge regression: the linear law w with the least mean squared error over the nodes to train on, plus penalty · |w|².
//
// Features and target are standardised first, so that one penalty suits all columns. The intercept, the targets' mean,
// has no penalty. The chosen penalty gives the least error on the validation nodes. The weights are fitted to the
// training nodes alone.
#pragma once

#include <vector>

#include "bench/baselines/regression.h"

namespace tacit::gnn {

std::vector<double> penalty_grid();  // 1000 … 0.0001, two to a decade

// Takes the first of equally good penalties. Costs F³ for the decomposition, F² for a penalty.
Regression ridge_regression(const RegressionData& data, const std::vector<double>& penalties = penalty_grid());

}  // namespace tacit::gnn
