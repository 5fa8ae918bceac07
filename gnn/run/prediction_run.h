// run_prediction — one rank's part in a prediction, with the model of the newest checkpoint that all
// parties hold: for the nodes of the training, or for other data of the same columns.
//
// The model stays on shares. Other data are scaled as the training's were. A party needs its
// checkpoints and their key, and its part of the features and edges; labels and masks have no part.
#pragma once

#include "gnn/run/training_run.h"
#include "gnn/train/prediction_agreement.h"

namespace tacit::gnn {

struct PredictionOptions : RunOptions {
  bool other_data = false;  // accept data of this party that are not the training's data
  // The nodes to predict, ascending, if this rank names some. Otherwise another rank may; if none does, all nodes.
  std::optional<Rows> nodes;
  struct Subject {
    PredictionAgreement agreement;
    std::vector<int> other_data;  // ranks with other data than in the training
    StateLayout layout;           // the checkpoint's layout
  };
  std::function<void(const Subject&)> on_subject;  // all ranks have agreed on the checkpoint and the data
};

// Reveals the predictions, and the model, to the audiences of the plan. The second prediction of the same nodes of the
// same data by the same checkpoint reveals the same shares again. Throws ConfigError if there is no such checkpoint.
RunResult run_prediction(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                         const PredictionOptions& options);

}  // namespace tacit::gnn
