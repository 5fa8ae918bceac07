// The privacy loss of one step, as a distribution on a grid.
#pragma once

#include <cstdint>
#include <vector>

#include "gnn/privacy/mechanism.h"

namespace tacit::gnn {

// One step of a mechanism, scaled to noise of 1. A record adds shift() = 1 / noise with probability q = rate(). The
// noisy sum z has the density (1-q) N(0,1) + q N(shift,1) with the record, and N(0,1) without it.
//
// If the observer sees the sample, this is a step that takes the record, with rate() = 1; taken() is the probability of such a
// step, and all other steps have the loss 0.
class SampledGaussian {
 public:
  // Truncates z to first() ... last(). The truncated tails of all steps have a probability of at most `tail` under both
  // distributions.
  SampledGaussian(const Mechanism& mechanism, double tail);

  double rate() const { return rate_; }
  double taken() const { return taken_; }
  double shift() const { return shift_; }
  double first() const { return first_; }
  double last() const { return last_; }

  double loss(double z) const;   // log of (density with the record / density without it); increasing in z
  double at(double loss) const;  // the inverse of loss(); minus infinity below the least loss
  // The probability of the truncated tails, with the record and without it. Of a step that takes the record, if the sample is
  // seen.
  double tails_with() const;
  double tails_without() const;

 private:
  double rate_, taken_, shift_, first_, last_;
};

// mass[i] belongs to the loss (first + i) * width. The mass of the truncated tails belongs to an infinite loss.
struct GridLoss {
  std::int64_t first = 0;
  std::vector<double> mass;
  double infinite = 0;
};

// The loss of one step with the record, log(with / without), and without it, log(without / with).
//
// All z with a loss between two grid points form a cell. The mass of a cell is split between these two points so that both
// distributions keep the mass of the cell (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, "connect the dots"). The
// grid dominates the step: delta(epsilon) of the grid is nowhere below delta(epsilon) of the step.
struct StepLoss {
  GridLoss with, without;
};
StepLoss step_loss(const SampledGaussian& step, double width);

}  // namespace tacit::gnn
