// Every method with its name: common claims are tested on each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/baselines/exact_gaussian_process.h"
#include "bench/baselines/mean_predictor.h"
#include "bench/baselines/ridge_regression.h"
#include "bench/baselines/sparse_gaussian_process.h"

namespace tacit::gnn {

struct RegressionMethod {
  std::string name;
  std::function<Regression(const RegressionData&)> regress;
};

inline std::vector<RegressionMethod> all_regressions() {
  return {{"mean", [](const RegressionData& data) { return mean_predictor(data); }},
          {"ridge", [](const RegressionData& data) { return ridge_regression(data); }},
          {"exact Gaussian process", [](const RegressionData& data) { return exact_gaussian_process(data); }},
          {"sparse Gaussian process", [](const RegressionData& data) { return sparse_gaussian_process(data); }}};
}

}  // namespace tacit::gnn
