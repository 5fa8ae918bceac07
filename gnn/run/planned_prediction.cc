#include "gnn/run/planned_prediction.h"

#include "gnn/run/planned_predictor.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/compare_transcripts.h"

namespace tacit::gnn {

PredictionAgreement sizes_of(const PredictionAgreement& agreed) {
  return {agreed.holding, agreed.nodes, agreed.asker, {}, agreed.sizes};
}

PlannedPrediction planned_prediction(const DataPlan& data, const TrainingPlan& training,
                                     const PredictionAgreement& agreement, const PlannedRank& rank) {
  PlannedPredictor planned(data, training, agreement, rank);
  mpc::PlanSession& session = planned.session();
  PlannedPrediction plan;
  plan.before = bytes_before_sharing(training, nullptr, rank.parties);
  plan.blocks = planned.blocks();
  plan.sharing = planned.so_far();
  session.take_most_dealt();
  const auto once = [](const std::string&, const std::function<Tensor()>& compute) { return compute(); };
  planned.predictor().reveal_predictions(once);
  planned.predictor().reveal_model(once);
  session.begin_part(kComparePart);
  mpc::compare_transcripts(session);
  session.end_part();
  plan.predicting = planned.so_far() - plan.sharing;
  const Making making{session.making(), session.stated().made_bytes};
  const mpc::Cost of_sharing = making.part_of(plan.sharing.cost);
  plan.sharing.cost += of_sharing;
  plan.predicting.cost += making.cost - of_sharing;
  plan.most_dealt = session.take_most_dealt();
  plan.memory_of_maker = session.memory_of_maker();
  plan.normalising = words_of_normalising(session, agreement.holding.graph_nodes());
  plan.reveals = mpc::with_test_value_last(session.reveals());
  return plan;
}

}  // namespace tacit::gnn
