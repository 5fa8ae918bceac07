// The mean of the targets to train on, for every node: a method that does no better has learnt nothing.
#pragma once

#include "bench/baselines/regression.h"

namespace tacit::gnn {

// Every variance is the variance of the training targets.
Regression mean_predictor(const RegressionData& data);

}  // namespace tacit::gnn
