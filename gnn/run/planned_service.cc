#include "gnn/run/planned_service.h"

#include "gnn/run/planned_predictor.h"
#include "gnn/serve/service.h"

namespace tacit::gnn {

PlannedService planned_service(const DataPlan& data, const TrainingPlan& training, const PredictionAgreement& agreement,
                               const PlannedRank& rank, int asker, std::int64_t nodes) {
  PlannedPredictor planned(data, training, agreement, rank);
  const auto once = [](const std::string&, const std::function<Tensor()>& compute) { return compute(); };
  const SharedPredictions shared = planned.predictor().share_predictions(once);
  PlannedService plan;
  const PlannedRun::Step ready = planned.so_far();
  planned.predictor().reveal_rows(shared, all_rows(nodes), asker);
  plan.request = planned.so_far() - ready;
  plan.ready = ready;
  plan.ready.cost += planned.session().making();  // answers need no correlations
  const ServiceMessage turn{ServiceMessage::Kind::kRequests, asker, 0, {all_rows(nodes)}};
  plan.request.cost += cost_of_turn(turn, rank.parties, rank.rank);
  return plan;
}

}  // namespace tacit::gnn
