#include "gnn/run/planned_aggregate.h"

#include <algorithm>

#include "gnn/run/aggregate_run.h"
#include "gnn/run/planned_epochs.h"
#include "gnn/train/agreed_privacy.h"

namespace tacit::gnn {

namespace {

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

}  // namespace

PlannedRun planned_aggregate(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                             const PlannedRank& rank) {
  TrainingPrivacy privacy = privacy_of(training, agreement);
  const DataAgreement shared = divided(agreement, rank.parties);
  if (std::ssize(agreement.by_rank) != rank.parties) privacy = privacy.divided(records_of(shared), training);
  PlannedEpochs::More kept;
  if (training.checkpoint_every > 0) kept.periods.push_back({training.checkpoint_every, {}});
  kept.always.tells_at_once = true;
  const PlannedEpochs epochs(training, privacy.steps, rank.most_steps, kept);
  mpc::PlanSession session(rank.parties, rank.parties, rank.rank, rank.openings);
  const auto account = [&] {  // a party computes in the clear, in memory that does not count here
    SessionAccount now = so_far(session);
    now.step.work = {};
    return now;
  };
  PlannedRun run;
  EpochTally tally(epochs, account());
  AggregateTrainer* trainer = nullptr;
  RunOptions options;
  options.on_epoch = [&](const EpochEvent& event) {
    tally.take(event.epoch, account(), run);
    trainer->skip(epochs.left_out_after(event.epoch));
  };
  RunResult result = run_aggregate(session, training, data, shared, privacy, nullptr, options, {},
                                   [&](AggregateTrainer& made) { trainer = &made; });
  run.before = bytes_before_sharing(training, &privacy, rank.parties);
  run.batches = privacy.steps;
  for (const Block& rows : agreement.holding.x) {  // a party's own records stay in its memory
    const std::int64_t words = rows.rows * (rows.cols + std::max(data.classes, agreement.holding.targets));
    run.sharing.work.words = std::max(run.sharing.work.words, words);
  }
  run.profile = std::move(result.profile);
  tally.finish(account(), run);
  return run;
}

}  // namespace tacit::gnn
