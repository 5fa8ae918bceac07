#include "bench/baselines/maximise.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "net/error.h"

namespace tacit::gnn {

namespace {

using Vector = Eigen::VectorXd;

constexpr std::size_t kMemory = 8;       // steps that are remembered
constexpr double kEnoughGain = 1e-4;     // share of the gain that the slope predicts
constexpr double kLeastFraction = 1e-6;  // share of a step

// The change of the slope along recent steps, from which L-BFGS estimates the curvature.
class Curvature {
 public:
  void remember(const Vector& step, const Vector& fall) {
    const double bend = step.dot(fall);
    if (bend <= 1e-10 * step.norm() * fall.norm()) return;  // the function bends upward: no top in this direction
    if (pairs_.size() == kMemory) pairs_.pop_front();
    pairs_.push_back({step, fall, bend});
  }

  void forget() { pairs_.clear(); }

  // Algorithm 7.4: the inverse curvature times the slope. Without memory, a step of length 1 up the slope.
  Vector ascent(const Vector& slope) const {
    if (pairs_.empty()) return slope / std::max(1.0, slope.norm());
    Vector q = slope;
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = pairs_[i].step.dot(q) / pairs_[i].bend;
      q -= alpha[i] * pairs_[i].fall;
    }
    q *= pairs_.back().bend / pairs_.back().fall.squaredNorm();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = pairs_[i].fall.dot(q) / pairs_[i].bend;
      q += (alpha[i] - beta) * pairs_[i].step;
    }
    return q;
  }

 private:
  struct Pair {
    Vector step, fall;
    double bend;
  };
  std::deque<Pair> pairs_;
};

class Search {
 public:
  Search(const Evaluate& objective, const Vector& start, const Box& box, const SearchLimits& limits)
      : objective_(objective), box_(box), limits_(limits), x_(box.clamped(start)) {
    here_ = evaluated(x_);
    TACIT_CHECK(std::isfinite(here_.value) && here_.slope.allFinite());
  }

  Maximum run() {
    while (evaluations_ < limits_.evaluations) {
      const Vector slope = free_slope();
      if (slope.cwiseAbs().maxCoeff() < limits_.slope * scale()) break;
      Vector direction = curvature_.ascent(slope).cwiseProduct(free_);
      if (direction.dot(slope) <= 1e-12 * direction.norm() * slope.norm()) {
        curvature_.forget();
        direction = curvature_.ascent(slope);
      }
      direction *= std::min(1.0, limits_.longest_step / direction.cwiseAbs().maxCoeff());
      const std::optional<double> gain = advance(direction);
      if (!gain || *gain < limits_.gain * scale()) break;
    }
    return {x_, here_.value, evaluations_};
  }

 private:
  Evaluation evaluated(const Vector& x) {
    ++evaluations_;
    return objective_(x);
  }

  double scale() const { return std::max(1.0, std::abs(here_.value)); }

  // The slope in the coordinates that may move. Forgets the curvature when the set of these coordinates changes.
  Vector free_slope() {
    Vector free(x_.size());
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      const bool held = here_.slope(i) > 0 ? x_(i) >= box_.high(i) : x_(i) <= box_.low(i);
      free(i) = held ? 0 : 1;
    }
    if (free_.size() > 0 && free != free_) curvature_.forget();
    free_ = free;
    return here_.slope.cwiseProduct(free_);
  }

  // Steps along the direction and returns the gain; nullopt if no step gains enough.
  std::optional<double> advance(const Vector& direction) {
    for (double fraction = 1; fraction > kLeastFraction && evaluations_ < limits_.evaluations; fraction /= 2) {
      const Vector x = box_.clamped(x_ + fraction * direction);
      Evaluation there = evaluated(x);
      const double gain = there.value - here_.value;
      if (!std::isfinite(gain) || !there.slope.allFinite()) continue;
      if (gain < kEnoughGain * here_.slope.dot(x - x_)) continue;
      curvature_.remember((x - x_).cwiseProduct(free_), (here_.slope - there.slope).cwiseProduct(free_));
      x_ = x;
      here_ = std::move(there);
      return gain;
    }
    return std::nullopt;
  }

  const Evaluate& objective_;
  const Box& box_;
  const SearchLimits limits_;
  Vector x_, free_;  // free_: 1 where a coordinate may move
  Evaluation here_;
  Curvature curvature_;
  int evaluations_ = 0;
};

}  // namespace

Maximum maximise(const Evaluate& objective, const Vector& start, const Box& box, const SearchLimits& limits) {
  return Search(objective, start, box, limits).run();
}

}  // namespace tacit::gnn
