// Predictions — the revealed values of a model's outputs: numbers in the targets' own unit, or the
// likeliest classes and the probability of each class.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gnn/arithmetic/target_unit.h"
#include "gnn/graph/rows.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

struct Predictions {  // empty unless it was revealed to this rank
  // A row for each node: targets in their own unit, or the likeliest classes, the likeliest first.
  std::optional<Matrix> values;
  std::optional<Matrix> probabilities;  // a column for each class; 0 ... 1, and each row adds up to 1

  bool any() const { return values || probabilities; }
};

// True if the plan reveals any.
bool tells_predictions(const TrainingPlan& plan);
// The names of all values that reveal_predictions() requests from `once`.
std::vector<std::string> names_of_predictions(const TrainingPlan& plan);

// Returns the share of the value `name` if it was revealed before, otherwise `compute`.
using OncePerName = std::function<Tensor(const std::string& name, const std::function<Tensor()>& compute)>;

// Reveals them to the ranks that the plan names. `outputs` is called if a value was not revealed before. `audit` is
// called before a new value is kept and revealed. Rounds of a value beside the rounds of the outputs: 1 for the reveal; for
// classes 3, 4 beyond 7 columns, as often as classes are named; for probabilities 6 or 7; for targets 2 at most.
Predictions reveal_predictions(Arithmetic& arithmetic, const TrainingPlan& plan, const std::optional<TargetUnit>& unit,
                               const std::function<Tensor()>& outputs, const OncePerName& once,
                               const std::function<void()>& audit);

// The same values on shares, with a row for each node: for reveals of some rows at a time. Empty if the plan reveals the
// value to no rank.
struct SharedPredictions {
  std::optional<Tensor> values, probabilities;
};
// Computes the values, audited and kept, and reveals none. Parameters and rounds are as for reveal_predictions().
SharedPredictions share_predictions(Arithmetic& arithmetic, const TrainingPlan& plan,
                                    const std::optional<TargetUnit>& unit, const std::function<Tensor()>& outputs,
                                    const OncePerName& once, const std::function<void()>& audit);

// True if the plan reveals predictions or probabilities to this rank.
bool tells_predictions_to(const TrainingPlan& plan, int rank);
// Reveals these rows, ascending, to `rank` alone: the values that the plan reveals to it. One round for each value.
Predictions reveal_rows(Arithmetic& arithmetic, const TrainingPlan& plan, const std::optional<TargetUnit>& unit,
                        const SharedPredictions& shared, const Rows& rows, int rank);

}  // namespace tacit::gnn
