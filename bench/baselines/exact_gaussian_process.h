// Exact Gaussian-process regression: the target as a smooth function, of any form, of each node's own features.
//
// The hyper-parameters maximise the marginal likelihood of the training nodes, or of a sample if there are more than
// `fitted_nodes`. Predictions use all training nodes.
#pragma once

#include "bench/baselines/length_scales.h"
#include "bench/baselines/regression.h"

namespace tacit::gnn {

// At 5,000 nodes two matrices of 200 MB, and 40 G multiply-adds for the predictions of the nodes themselves.
inline constexpr std::int64_t kMostExactNodes = 5000;

struct ExactProcessOptions {
  LengthScales lengths = LengthScales::kPerFeature;
  std::int64_t fitted_nodes = 1000;  // the hyper-parameters maximise the likelihood of at most this many
  // Most evaluations of the likelihood, from one start; 0: several starts, each until it gains nothing.
  int evaluations = 0;
};

// ConfigError for more than kMostExactNodes nodes to train on.
Regression exact_gaussian_process(const RegressionData& data, const ExactProcessOptions& options = {});

}  // namespace tacit::gnn
