// r2 and explained_variance — the part of the targets' variance that predictions explain: the mean over targets, each
// with the same weight (scikit-learn's uniform_average).
//   r2 = 1 - sum e² / sum (y - mean y)²,   explained_variance = 1 - var e / var y,   e = z - y
//
// A target counts 0 if its deviation within the part is below a limit from 2^-7 to 2^-6 of a standardised target's (of 1, for
// targets in their own unit): 2^-7 for a power of two of nodes, and almost 2^-6 for one node more. Requires a deviation of at most 64, and an r2 above -2^14.
//
// Sums over n nodes are n·sum e² and n·sum e² - (sum e)², so that no mean is rounded. Targets and errors are rounded
// to as few fraction bits as n leaves room for: 13 up to 1,024 nodes, one less for each doubling. Therefore a part has at most
// 32,768 nodes (countable.h), and a job standardises its targets.
//
// Reveals     the sum over targets
// Rounds      6, at most 2 more for lifts; and 1 to reveal it. Once: 20
// Error       2^-12 of (1 - r2) for targets of deviation 1; of deviation s, 2^-17 / s² more, an eighth at the limit
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

class Explained final : public Measure {
 public:
  Explained(Arithmetic& arithmetic, Metric metric, const Tensor& y);
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  // n·sum x² of each column, less (sum x)² if it is centred; over 4^ceil(log2 n). A row with 16 fraction bits.
  mpc::Share spread(mpc::Session& session, const mpc::Share& x, bool centred) const;
  mpc::Share wide(mpc::Session& session, const mpc::Share& x) const;

  Metric metric_;
  std::int64_t nodes_, targets_;
  double rounding_;  // of the revealed sum
  Tensor y_;
  // For each target: 1 if it varies; 1/spread is power · inverse, or 0 if it does not vary.
  mpc::Share varies_;
  mpc::Masked power_, inverse_;
};

}  // namespace tacit::gnn
