#include "gnn/run/aggregate_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/preparation.h"
#include "mpc/protocols/compare_transcripts.h"

namespace tacit::gnn {

std::vector<std::int64_t> records_of(const DataAgreement& agreement) {
  if (agreement.by_rank.empty()) return {agreement.counts.train};
  std::vector<std::int64_t> records;
  for (const Counts& counts : agreement.by_rank) records.push_back(counts.train);
  return records;
}

RecordPrivacy privacy_of(const TrainingPlan& training, const DataAgreement& agreement) {
  const std::int64_t parties = std::ssize(agreement.holding.edges);
  if (training.privacy->unit == PrivacyUnit::kEdge) return edge_privacy(training, parties);
  if (!training.aggregates() && training.privacy->sampling == Sampling::kParties) {
    return record_privacy(training, {agreement.counts.train}, parties);
  }
  return record_privacy(training, records_of(agreement), parties);
}

RunResult run_aggregate(mpc::Session& session, const TrainingPlan& training, const DataPlan& data,
                        const DataAgreement& agreement, const RecordPrivacy& privacy, const OwnRecords* own,
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
