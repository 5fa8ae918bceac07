// Predicts the mean of the training targets for every node: a method with no smaller error has learnt nothing.
#pragma once

#include "bench/baselines/regression.h"

namespace tacit::gnn {

// Every variance is the variance of the training targets.
Regression mean_predictor(const RegressionData& data);

}  // namespace tacit::gnn
