#include "gnn/run/planned_run.h"

#include <algorithm>

#include "gnn/train/share_graph.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

namespace {

PlannedRun::Step so_far(const mpc::PlanSession& session) { return {session.stated(), session.work()}; }

}  // namespace

const PlannedRun::Step& PlannedRun::usual_epoch() const {
  std::vector<std::pair<const Step*, std::int64_t>> kinds;  // few, each with how many there are
  for (const Step& epoch : epochs) {
    const auto like = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return *kind.first == epoch; });
    like == kinds.end() ? kinds.emplace_back(&epoch, 1).second : ++like->second;
  }
  const auto most = std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                    })->second;
  std::erase_if(kinds, [most](const auto& kind) { return kind.second < most; });
  const auto middle = kinds.begin() + std::ssize(kinds) / 2;
  std::nth_element(kinds.begin(), middle, kinds.end(),
                   [](const auto& a, const auto& b) { return a.first->cost.rounds < b.first->cost.rounds; });
  return *middle->first;
}

PlannedRun planned_run(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                       const PlannedRank& rank) {
  const int owners = static_cast<int>(agreement.shapes.edges.size());
  mpc::PlanSession session(owners, rank.parties, rank.rank, rank.openings);
  PlannedRun run;
  Trainer trainer(session, training, share_graph(session, data, training, agreement, [](int) { return nullptr; }));
  run.sharing = so_far(session);
  PlannedRun::Step before = run.sharing;
  trainer.run([&](const EpochEvent&) {
    const PlannedRun::Step now = so_far(session);
    run.epochs.push_back(now - before);
    before = now;
  });
  trainer.reveal_model();
  trainer.reveal_predictions();
  run.total = so_far(session);
  run.results = run.total - before;
  run.reveals = session.reveals();
  run.decisions = session.decisions();
  return run;
}

}  // namespace tacit::gnn
