#include "gnn/run/training_run.h"

#include "gnn/train/share_graph.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "net/collectives/calibrate.h"

namespace tacit::gnn {

namespace {

enum class Goal { kTraining, kPrediction };

// What a rank does the same way whatever its session is.
class Run {
 public:
  Run(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
      const RunOptions& options, Goal goal)
      : mesh_(mesh), data_(data), training_(training), own_(own), options_(options), goal_(goal) {
    const bool party = mesh.world().is_party();
    TACIT_CHECK(party == (own != nullptr));
    agreement_ = agree_on_data(mesh, data, training, own);
    if (!keeps_checkpoints()) return;
    if (party && !options.checkpoints) {
      throw ConfigError("checkpoints are to be kept, but this rank was given no folder and no key for them");
    }
    if (party) store_.emplace(*options.checkpoints);
    const CheckpointStore::Found found = store_ ? store_->find() : CheckpointStore::Found{};
    for (const std::string& why : found.refused) {
      if (options.on_refused_checkpoint) options.on_refused_checkpoint(why);
    }
    const bool needed = goal == Goal::kPrediction || options.if_none == IfNone::kRefuse;
    point_ = agree_on_checkpoint(mesh, found.usable, needed ? IfNone::kRefuse : IfNone::kStartAfresh);
  }

  RunResult as_party() {
    net::Group group(mesh_);
    mpc::PartySession session(mesh_, net::calibrate_all_reduce(group).plan);
    return result_of(session, [&](Trainer& trainer) {
      if (!store_) return;
      if (point_) {
        trainer.restore(store_->resume(session, session.nonce(), point_->id));
      } else {
        store_->begin(session, session.nonce());
      }
      trainer.on_checkpoint([&](const TrainingState& state) { store_->save(session, state); });
    });
  }

  RunResult as_dealer() {
    mpc::DealerSession session(mesh_);
    RunResult result = result_of(session, [&](Trainer& trainer) {
      if (point_) trainer.restore(restored_by_dealer(session, point_->layout));
    });
    session.flush();
    return result;
  }

 private:
  bool keeps_checkpoints() const { return training_.checkpoint_every > 0 || goal_ == Goal::kPrediction; }

  template <typename Prepare>
  RunResult result_of(mpc::Session& session, const Prepare& prepare) {
    const PartOf part = [&](int rank) { return rank == mesh_.rank() ? own_ : nullptr; };
    Trainer trainer(session, training_, share_graph(session, data_, training_, agreement_, part));
    prepare(trainer);
    RunResult result;
    trainer.count_traffic([&] { return mesh_.traffic(); });
    if (goal_ == Goal::kTraining) {
      trainer.run([&](const EpochEvent& event) {
        if (!event.readings.empty()) result.readings = event.readings;
        if (options_.on_epoch) options_.on_epoch(event);
      });
    }
    result.epochs = trainer.state().epochs;
    result.model = trainer.reveal_model();
    result.predictions = trainer.reveal_predictions();
    result.reveals = store_ ? store_->reveals(session) : session.reveals();
    result.decisions = session.decisions();
    return result;
  }

  net::Mesh& mesh_;
  const DataPlan& data_;
  const TrainingPlan& training_;
  const GraphData* own_;
  const RunOptions& options_;
  Goal goal_;
  DataAgreement agreement_;
  std::optional<CheckpointStore> store_;
  std::optional<ResumePoint> point_;
};

RunResult run(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
              const RunOptions& options, Goal goal) {
  Run one(mesh, data, training, own, options, goal);
  return own != nullptr ? one.as_party() : one.as_dealer();
}

}  // namespace

RunResult run_training(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                       const RunOptions& options) {
  return run(mesh, data, training, own, options, Goal::kTraining);
}

RunResult run_prediction(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                         const RunOptions& options) {
  return run(mesh, data, training, own, options, Goal::kPrediction);
}

}  // namespace tacit::gnn
