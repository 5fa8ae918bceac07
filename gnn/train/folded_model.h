// folded — a trained model that reads features and gives targets in their own units: the first layer
// contains the scaling of the features, and the last layer the scaling of the targets.
//
// With W the weight of the first layer, the model that is revealed has W' = W / deviation and the row `shift` = mean · W',
// which is subtracted from x · W' before the graph is gathered: a graph's normalisation has rows that do not add up to 1.
// The last layer has W · deviation and b · deviation + mean. The shift is computed from the rounded W', so its errors
// cancel. A model with one layer has (W / deviation) · deviation of the targets, and its shift is computed from this product. The
// powers of two of the deviations are revealed to every party. The scaling itself is not revealed, but with at least as many
// hidden units as features the means follow from W' and the shift.
#pragma once

#include <optional>

#include "gnn/model/parameter.h"
#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"
#include "gnn/train/column_units.h"
#include "gnn/train/predictions.h"

namespace tacit::gnn {

// The units that are folded into the model. Empty if the columns are not standardised, or the model is not revealed.
struct Fold {
  std::optional<FeatureUnit> features;
  std::optional<TargetUnit> targets;
};

// True if the plan reveals the model with its scaling folded, and the model can be: standardised features that are not
// cut, no residual in the first and the last layer, no propagation before the first weights or after the last ones of a
// model of standardised targets, and a ring of 64 bits.
bool folds(const DataPlan& data, const TrainingPlan& training);

// The names of the values that revealed_model() requests from `once`.
std::vector<std::string> names_of_folded(const TrainingPlan& training);

// Reveals the model to the rank that the plan names, if it names one; empty at all others. Rounds beside one for each
// parameter: 3.
std::vector<NamedMatrix> revealed_model(Arithmetic& arithmetic, const TrainingPlan& plan,
                                        std::span<const Parameter> parameters, const Fold& fold,
                                        const OncePerName& once);

}  // namespace tacit::gnn
