#include "gnn/run/aggregate_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/preparation.h"
#include "mpc/protocols/compare_transcripts.h"

namespace tacit::gnn {

RunResult run_aggregate(mpc::Session& session, const TrainingPlan& training, const DataPlan& data,
                        const DataAgreement& agreement, const TrainingPrivacy& privacy, const OwnRecords* own,
                        const RunOptions& options, std::function<net::Traffic()> traffic,
                        const std::function<void(AggregateTrainer&)>& prepare) {
  const Holding& holding = agreement.holding;
  const Shape shape{holding.features, data.classes > 0 ? data.classes : holding.targets};
  AggregateTrainer trainer(session, training, privacy, shape, agreement.counts, own);
  trainer.count_traffic(std::move(traffic));
  prepare(trainer);
  RunResult result;
  trainer.run([&](const EpochEvent& event) {
    const auto& readings = event.of_epoch ? event.of_best : event.readings;
    if (!readings.empty()) result.readings = readings;
    result.of_epoch = event.of_epoch;
    if (options.on_epoch) options.on_epoch(event);
  });
  session.begin_part(kComparePart);
  mpc::compare_transcripts(session);
  session.end_part();
  result.epochs = trainer.epochs();
  if (own != nullptr) result.model = trainer.parameters();
  result.profile = trainer.profile();
  result.reveals = session.reveals();
  result.decisions = session.decisions();
  result.cost = session.stated();
  result.costs = session.stated_by_protocol();
  return result;
}

}  // namespace tacit::gnn
