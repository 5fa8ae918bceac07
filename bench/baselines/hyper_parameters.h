// HyperParameters — the fitted numbers of a Gaussian process: the kernel, and the deviation of readings around the
// process.
//
// The search is for their logarithms in one vector (length scales, signal, noise), in a box in which every covariance
// can be factorised.
#pragma once

#include <string>
#include <vector>

#include "bench/baselines/kernel.h"
#include "bench/baselines/length_scales.h"
#include "bench/baselines/maximise.h"

namespace tacit::gnn {

struct HyperParameters {
  Kernel kernel;
  double noise = 1;  // a deviation
};

// The log-likelihood of the targets, or a lower bound, and its gradient by each logarithm.
struct Likelihood {
  double value = 0;
  KernelSlopes kernel;
  double noise = 0;
};

class HyperParameterSpace {
 public:
  HyperParameterSpace(Eigen::Index features, LengthScales lengths) : features_(features), lengths_(lengths) {}

  HyperParameters at(const Eigen::VectorXd& logs) const;
  Evaluation evaluation(const Likelihood& likelihood) const;
  Box box() const;
  std::vector<Eigen::VectorXd> starts() const;

 private:
  Eigen::Index lengths() const { return lengths_ == LengthScales::kPerFeature ? features_ : 1; }

  Eigen::Index features_;
  LengthScales lengths_;
};

// "length scales 0.8 … 4 deviations, signal 31, noise 9.2": the latter two in the target's unit.
std::string description(const HyperParameters& parameters, double unit);

}  // namespace tacit::gnn
