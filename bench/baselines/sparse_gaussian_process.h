// Sparse Gaussian-process regression: like the exact one, through inducing points that are chosen among the training
// nodes. The hyper-parameters maximise a bound of the likelihood of all training nodes.
#pragma once

#include "bench/baselines/length_scales.h"
#include "bench/baselines/regression.h"

namespace tacit::gnn {

struct SparseProcessOptions {
  std::int64_t inducing_points = 100;
  LengthScales lengths = LengthScales::kPerFeature;
  int evaluations = 0;  // most evaluations of the bound, from one start; 0: several starts, each until it gains nothing
};

// Throws ConfigError if a matrix of inducing points by training nodes has more than 2^25 elements (256 MB; the fit
// needs five such matrices).
Regression sparse_gaussian_process(const RegressionData& data, const SparseProcessOptions& options = {});

}  // namespace tacit::gnn
