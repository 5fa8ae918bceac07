// Moved twins — show how steady a training is. The twin (plaintext reference) trains again on features that move a little.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/plan/plans.h"

namespace tacit::launcher {

// The least and the largest last loss of some trainings.
struct LastLosses {
  double least = 0, most = 0;

  double range() const { return most - least; }
  // True if the loss lies among these, or beside them by at most their range or `allowed`. A few trainings do not reach
  // the ends of the range of all.
  bool admit(double loss, double allowed) const;
};

inline constexpr int kMovedTwins = 8;
inline constexpr double kMovedBy = 1e-3;  // part of the deviation of a feature's column

// Trains kMovedTwins twins on moved features, as tools/random_jobs does. The result covers their last losses and `own`, the
// twin's last loss. A twin that diverges does not count.
LastLosses losses_of_moved_twins(const gnn::Plans& plans, const gnn::GraphData& whole, double own);

}  // namespace tacit::launcher
