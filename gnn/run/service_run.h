// run_service — one rank's part in a service that predicts on request, by the model of the newest checkpoint that all
// parties hold: for the nodes of the training, or of other data of the same columns.
//
// A service begins as a prediction does (prediction_run.h). Then the predictions of all nodes are on shares, and requests open
// rows of these shares (gnn/serve/service.h). A prediction of all nodes of the same data opens the same shares, so both give
// equal numbers.
#pragma once

#include "gnn/run/prediction_run.h"
#include "gnn/serve/service.h"

namespace tacit::gnn {

struct ServedRun {
  RunResult run;  // of the session; without predictions
  Served served;
};

// `options` name no nodes. Throws ConfigError as run_prediction() does, and if the plan reveals predictions to no rank.
// The model is not revealed, even if the plan reveals it.
ServedRun run_service(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                      const PredictionOptions& options, const ServiceOptions& service);

}  // namespace tacit::gnn
