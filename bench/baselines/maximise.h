// maximise — the top of a smooth function in a box, from where it starts: L-BFGS on the coordinates that the box leaves
// free (Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 16.5), with steps that are halved until they
// gain enough.
//
// It finds a local top. A value that is not finite is taken for a step too far. The same start gives the same way.
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
  double slope = 1e-4;      // at the top: of each free coordinate, for each unit of the value or below 1
  double gain = 1e-7;       // the least gain of a step, likewise: a search that gains less has ended
};

struct Maximum {
  Eigen::VectorXd at;
  double value = 0;
  int evaluations = 0;
};

Maximum maximise(const Evaluate& objective, const Eigen::VectorXd& start, const Box& box, const SearchLimits& limits);

}  // namespace tacit::gnn
