// The mean of the targets to train on, for every node: a method that does no better has learnt nothing.
#pragma once

#include "bench/baselines/regression.h"

namespace tacit::gnn {

// Its variances are the one that the targets to train on have around their mean.
Regression mean_predictor(const RegressionData& data);

}  // namespace tacit::gnn
