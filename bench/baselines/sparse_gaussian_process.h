// Sparse Gaussian-process regression: as the exact one, through inducing points that are chosen among the nodes to
// train on; hyper-parameters maximise the bound of all of them.
#pragma once

#include "bench/baselines/length_scales.h"
#include "bench/baselines/regression.h"

namespace tacit::gnn {

struct SparseProcessOptions {
  std::int64_t inducing_points = 100;
  LengthScales lengths = LengthScales::kPerFeature;
};

// ConfigError where matrices of inducing points by nodes to train on have more than 2^25 elements: 256 MB each, and
// there are five of them.
Regression sparse_gaussian_process(const RegressionData& data, const SparseProcessOptions& options = {});

}  // namespace tacit::gnn
