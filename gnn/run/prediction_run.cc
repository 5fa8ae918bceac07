#include "gnn/run/prediction_run.h"

#include "gnn/run/predicting_rank.h"

namespace tacit::gnn {

RunResult run_prediction(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                         const PredictionOptions& options) {
  if (!tells_predictions(training) && !training.model_to) {
    throw ConfigError("the job reveals neither predictions nor the model: set an audience for one");
  }
  PredictingRank rank(mesh, data, training, own, options, "prediction");
  const auto reveal = [](const PredictingRank::Ready& ready) {
    ready.result.predictions = ready.predictor.reveal_predictions(ready.predictions);
    ready.result.model = ready.predictor.reveal_model(ready.of_model);
  };
  return rank.run(reveal, reveal);
}

}  // namespace tacit::gnn
