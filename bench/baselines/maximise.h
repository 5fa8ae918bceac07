// maximise — finds a local maximum of a smooth function in a box: L-BFGS on the coordinates that the box leaves free
// (Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 16.5), with steps that are halved until they gain
// enough.
//
// A step to a value that is not finite counts as too long. The same start gives the same steps.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace tacit::gnn {

struct Evaluation {
  double value = 0;
  Eigen::VectorXd slope;
};

using Evaluate = std::function<Evaluation(const Eigen::VectorXd&)>;

struct Box {
  Eigen::VectorXd low, high;

  Eigen::VectorXd clamped(const Eigen::VectorXd& x) const { return x.cwiseMax(low).cwiseMin(high); }
};

struct SearchLimits {
  int evaluations = 100;
  double longest_step = 1;  // in any coordinate
  double slope = 1e-4;      // at the top: largest slope of a free coordinate, times max(1, |value|)
  double gain = 1e-7;       // least gain of a step, times the same: a smaller gain ends the search
};

struct Maximum {
  Eigen::VectorXd at;
  double value = 0;
  int evaluations = 0;
};

Maximum maximise(const Evaluate& objective, const Eigen::VectorXd& start, const Box& box, const SearchLimits& limits);

}  // namespace tacit::gnn
