#include "gnn/run/planned_aggregate.h"

#include <algorithm>

#include "gnn/run/aggregate_run.h"
#include "gnn/train/agreed_privacy.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kLeastPlannedEpochs = 3;

// The agreement with the records divided evenly among another number of parties.
DataAgreement divided(DataAgreement agreement, int parties) {
  if (std::ssize(agreement.by_rank) == parties) return agreement;
  const std::int64_t all = agreement.counts.train;
  agreement.by_rank.assign(static_cast<std::size_t>(parties), {});
  for (int rank = 0; rank < parties; ++rank) {
    agreement.by_rank[static_cast<std::size_t>(rank)].train = all * (rank + 1) / parties - all * rank / parties;
  }
  return agreement;
}

mpc::Cost times(mpc::Cost cost, std::int64_t count) {
  for (std::int64_t* number : {&cost.rounds, &cost.bytes, &cost.messages, &cost.dealt_bytes, &cost.dealt_messages}) {
    *number *= count;
  }
  return cost;
}

}  // namespace

PlannedRun planned_aggregate(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                             const PlannedRank& rank) {
  TrainingPrivacy privacy = privacy_of(training, agreement);
  const DataAgreement shared = divided(agreement, rank.parties);
  if (std::ssize(agreement.by_rank) != rank.parties) privacy = privacy.divided(records_of(shared), training);
  TrainingPlan plan = training;
  plan.epochs = std::min(plan.epochs, std::max(kLeastPlannedEpochs, rank.most_steps / privacy.steps));
  mpc::PlanSession session(rank.parties, rank.parties, rank.rank, rank.openings);
  PlannedRun run;
  mpc::Cost before;
  RunOptions options;
  options.on_epoch = [&](const EpochEvent& event) {
    run.epochs.push_back({event.cost, {}});
    run.numbers.push_back(event.epoch);
    run.stands_for.push_back(1);
    before = session.stated();
  };
  RunResult result = run_aggregate(session, plan, data, shared, privacy, nullptr, options, {});
  run.results = {session.stated() - before, {}};
  run.batches = privacy.steps;
  for (const Block& rows : agreement.holding.x) {  // a party's own records stay in its memory
    const std::int64_t words = rows.rows * (rows.cols + std::max(data.classes, agreement.holding.targets));
    run.sharing.work.words = std::max(run.sharing.work.words, words);
  }
  run.profile = std::move(result.profile);
  run.reveals = std::move(result.reveals);
  const std::int64_t left = training.epochs - plan.epochs;
  run.total.cost = session.stated();
  if (left > 0) {
    const mpc::Cost more = times(run.usual_epoch().cost, left);
    run.left_out = {left, 0, {more, {}}};
    run.total.cost += more;
    run.stands_for[1] += left;
    for (mpc::Reveal& line : run.reveals) {
      if (line.count < privacy.steps) continue;  // a metric
      line.elements += line.elements / plan.epochs * left;
      line.count += line.count / plan.epochs * left;
    }
  }
  return run;
}

}  // namespace tacit::gnn
