// LossMoments — fast estimates of the moments of a composition's privacy loss, by quadrature.
//
// privacy_loss.cc chooses its grid, its window and its tilt by these estimates. The bounds hold for any choice; a bad estimate
// makes a bound looser.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gnn/privacy/mechanism.h"

namespace tacit::gnn {

// The data set from which a view comes: the one with the record, or its neighbour without it. Epsilon is the larger one of
// both directions.
enum class Direction { kWith, kWithout };

class LossMoments {
 public:
  explicit LossMoments(std::span<const Mechanism> mechanisms, double tail);

  // log E[e^(t L)] of the whole composition, which is (order - 1) times the Renyi divergence of the order t + 1.
  double log_moment(Direction direction, double t) const;
  double spread() const;  // standard deviation of the loss of an average step: the larger one of both directions

  struct Choice {
    double value = 0, at = 0;  // the best value of a bound, at t = `at`
  };
  double steps() const { return steps_; }

  // The least x with P(L > x) <= e^log_chance, and the largest x with P(L < x) <= e^log_chance, both by Chernoff's bound for
  // the loss L under the distribution that is tilted by e^(tilt L).
  Choice upper_end(Direction direction, double tilt, double log_chance) const;
  Choice lower_end(Direction direction, double tilt, double log_chance) const;
  // The least t with a bound of P(L > x) of at most e^log_enough, without a tilt; or the t of the best bound. `value` is
  // the logarithm of the bound.
  Choice tail(Direction direction, double x, double log_enough) const;

 private:
  struct Step {
    double steps = 0;
    std::vector<double> loss, log_weight;  // at points of the quadrature, under the distribution without the record
  };
  template <typename Of>
  Choice least(const Of& of) const;

  std::vector<Step> each_;
  std::array<double, 2> variance_{};  // of the composition's loss, in each direction
  double steps_ = 0;
};

}  // namespace tacit::gnn
