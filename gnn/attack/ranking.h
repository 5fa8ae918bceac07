// Ranking — how well a score tells members from others: a record that was trained on should have the higher score.
//
// The bound: from a model with epsilon and delta, an attacker with a rate of false alarms f finds a part of the members of
//   at most  min(1, e^epsilon·f + delta, 1 - e^-epsilon·(1 - delta - f))     (Kairouz, Oh, Viswanath, ICML 2015)
#pragma once

#include <vector>

namespace tacit::gnn {

struct Ranking {
  double area = 0.5;      // under the curve (AUC): the probability that a member has a higher score than another record
  double error = 0;       // the standard deviation of the area if the score tells nothing
  double at_percent = 0;  // members found at a rate of false alarms of 1 %
  double at_thousandth = 0;  // and of 0.1 %
  double advantage = 0;      // the most by which members found exceed false alarms
};

// Equal scores count half. Both lists have a score at least; throws ConfigError otherwise.
Ranking ranking_of(std::vector<double> members, std::vector<double> others);

// The largest part of the members that can be found at this rate, and the area under this curve.
double most_found(double epsilon, double delta, double false_alarms);
double largest_area(double epsilon, double delta);

}  // namespace tacit::gnn
