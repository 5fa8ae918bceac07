// Exact Gaussian-process regression: what a smooth law of any form can make of each node's own features.
//
// Hyper-parameters maximise the marginal likelihood of the nodes to train on, or of a sample of them where they are
// more; predictions follow from all of them.
#pragma once

#include "bench/baselines/length_scales.h"
#include "bench/baselines/regression.h"

namespace tacit::gnn {

// At 5,000 nodes two matrices of 200 MB, and 40 G multiply-adds for the predictions of the nodes themselves.
inline constexpr std::int64_t kMostExactNodes = 5000;

struct ExactProcessOptions {
  LengthScales lengths = LengthScales::kPerFeature;
  std::int64_t fitted_nodes = 1000;  // by whose likelihood hyper-parameters are found
};

// ConfigError for more than kMostExactNodes nodes to train on.
Regression exact_gaussian_process(const RegressionData& data, const ExactProcessOptions& options = {});

}  // namespace tacit::gnn
