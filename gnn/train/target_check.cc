#include "gnn/train/target_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/target_unit.h"
#include "gnn/data/preparation.h"
#include "net/error.h"

namespace tacit::gnn {

bool tells_in_own_unit(const TrainingPlan& plan) {
  return plan.predictions_to || std::any_of(plan.metrics.begin(), plan.metrics.end(),
                                            [](const Revealed& what) { return is_in_unit_of_targets(what.metric); });
}

void check_unit(const Matrix& targets) {
  if (targets.rows() == 0) return;
  constexpr double kMost = TargetUnit::kLargestZero / 2;
  const Matrix unit = deviations(targets);
  for (Eigen::Index c = 0; c < targets.cols(); ++c) {
    const double mean = targets.col(c).mean();
    if (std::abs(mean) <= kMost * unit(0, c)) continue;
    throw ConfigError(
        fmt::format("y, column {}: the targets' mean is more than {} deviations away from zero; subtract a constant "
                    "from them, and add it to the predictions",
                    c, kMost),
        fmt::format("they deviate by {:.6g} from {:.6g}", unit(0, c), mean),
        "the mean of its targets is too many deviations away from zero: subtract a constant from them");
  }
}

}  // namespace tacit::gnn
