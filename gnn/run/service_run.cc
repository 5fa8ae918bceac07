#include "gnn/run/service_run.h"

#include "gnn/run/predicting_rank.h"

namespace tacit::gnn {

ServedRun run_service(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                      const PredictionOptions& options, const ServiceOptions& service) {
  TACIT_CHECK(service.desk != nullptr && !options.nodes);
  if (!tells_predictions(training)) {
    throw ConfigError("the job reveals predictions to nobody: set an audience for predictions or probabilities");
  }
  TrainingPlan plan = training;
  plan.model_to.reset();
  PredictingRank rank(mesh, data, plan, own, options, "service");
  ServedRun result;
  const auto serve_all = [&](const PredictingRank::Ready& ready) {
    result.served = serve(mesh, ready.session, plan, rank.agreement().holding.subjects(), ready.predictor,
                          ready.predictions, service);
  };
  const auto share = [](const PredictingRank::Ready& ready) { ready.predictor.share_predictions(ready.predictions); };
  result.run = rank.run(serve_all, share);
  return result;
}

}  // namespace tacit::gnn
