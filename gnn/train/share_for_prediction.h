// share_for_prediction shares the parties' files as one secret graph for predictions.
#pragma once

#include "gnn/train/data_scale.h"
#include "gnn/train/folded_model.h"
#include "gnn/train/prediction_agreement.h"

namespace tacit::gnn {

// The secret data of a prediction.
struct PredictionGraph {
  Tensor x;                                // all nodes, scaled as in the training, in the ring that the model needs
  std::vector<int> parameter_rings = {};   // the rings of the weights in products (factor_rings.h)
  std::vector<GraphView> views;            // together they end with the nodes to predict
  std::shared_ptr<mpc::RangeAudit> audit;  // watches the scaled values; null if the watch is off
  std::optional<TargetUnit> target_unit;   // for standardised targets
  Fold fold;                               // for the revealed model
};

// Every rank calls it with the same agreement. `scale` is the training's. Data leave their owners as shares only.
PredictionGraph share_for_prediction(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                                     const PredictionAgreement& agreement, const DataScale& scale,
                                     const PartOf& part_of);

}  // namespace tacit::gnn
