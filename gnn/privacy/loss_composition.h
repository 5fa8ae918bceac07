// LossComposition — the privacy loss of all steps of several mechanisms, as a distribution on a grid.
//
// The losses of all steps are multiples of one width, so the spectrum of the composition is a product of powers of the
// steps' spectra. Each mass is multiplied by e^(tilt L) before the transform and divided by it afterwards. The tilt moves
// the centre of the distribution to the losses near epsilon, where rounding errors are then smallest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gnn/privacy/loss_moments.h"
#include "gnn/privacy/step_loss.h"

namespace tacit::gnn {

struct LossPart {
  StepLoss loss;
  double steps = 0;
  double failure = 0;  // of a step

  const GridLoss& of(Direction direction) const { return direction == Direction::kWith ? loss.with : loss.without; }
};

// The range of losses of a composition. A mass beyond one end of the range appears near the other end, and adds to delta
// there. Losses beyond the upper end count as infinite; Chernoff's bound at `beyond_at` limits their probability.
struct LossWindow {
  double begin = 0, tilt = 0, beyond_at = 0;
};

class LossComposition {
 public:
  // `size`: points of the grid, a power of two.
  LossComposition(const std::vector<LossPart>& parts, Direction direction, const LossWindow& window, double width,
                  std::size_t size);

  // Upper bounds, rounding errors included. Epsilon is infinite if delta is below the probability of an infinite loss.
  double epsilon(double delta) const;
  double delta(double epsilon) const;

  // Bounds the relative error of a spectrum: of the transform, the masses, the powers and the tilt.
  static double rounding(std::size_t size);

 private:
  double at(std::size_t i) const { return static_cast<double>(begin_ + static_cast<std::int64_t>(i)) * width_; }
  void compose(const std::vector<LossPart>& parts, Direction direction, std::size_t size);

  double tilt_, width_;
  std::int64_t begin_;
  std::vector<double> mass_;  // tilted, of the losses at(i)
  double log_all_ = 0;        // mass_[i] * e^(log_all_ - tilt_ * at(i)) is the probability of the loss at(i)
  double error_ = 0;          // bounds the sum of all errors of mass_
  double infinite_ = 0;       // the probability of a loss that counts as infinite
};

}  // namespace tacit::gnn
