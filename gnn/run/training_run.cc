#include "gnn/run/training_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "gnn/checkpoint/kept_shares.h"
#include "gnn/data/part_check.h"
#include "gnn/plan/plans.h"
#include "gnn/run/openings.h"
#include "gnn/settings/setting_list.h"
#include "gnn/train/generators.h"
#include "gnn/train/share_graph.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "mpc/session/protocol_number.h"
#include "net/collectives/calibrate.h"
#include "net/collectives/tell_all.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

// A small cost beside a training: an opening has tens of kilobytes, and many trainings send a few
// megabytes in all.
constexpr net::CalibrationOptions kCalibration{.budget = std::chrono::milliseconds(100), .most_bytes = 64 << 10};

constexpr std::string_view kCheckpoints = "its checkpoints";  // subject of an error in the messages to other ranks

enum class Goal { kTraining, kPrediction };

// Compares the plans of all ranks. A rank with another plan would compute wrong values or wait for
// ever. Every rank sends its plan to every other rank, and all ranks throw the same error.
void expect_same_plans(net::Mesh& mesh, const std::string& own) {
  constexpr std::size_t kMostText = 8000;  // bytes of text that are sent; the hash covers the rest
  using Announcement = std::array<char, sizeof(mpc::Digest) + kMostText>;
  Announcement mine{};
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(own)));
  std::memcpy(mine.data(), digest.data(), digest.size());
  std::memcpy(mine.data() + digest.size(), own.data(), std::min(own.size(), kMostText));
  std::vector<Announcement> all(static_cast<std::size_t>(mesh.size()), mine);
  std::vector<net::Bytes> bytes;
  for (Announcement& one : all) bytes.push_back(std::as_writable_bytes(std::span(one)));
  net::tell_all(mesh, bytes);
  const auto text_of = [](const Announcement& one) {
    const std::string text(one.data() + sizeof(mpc::Digest), kMostText);
    return text.substr(0, text.find('\0'));
  };
  for (int rank = 1; rank < mesh.size(); ++rank) {
    const Announcement& other = all[static_cast<std::size_t>(rank)];
    if (other == all[0]) continue;
    const auto difference = first_difference(text_of(all[0]), text_of(other));
    throw ConfigError(fmt::format(
        "ranks 0 and {} differ in {}: give every rank the same job, and the same build of Tacit", rank,
        difference ? net::printable(fmt::format("{} ({} and {})", difference->name, difference->before.value_or("none"),
                                                difference->now.value_or("none")))
                   : "their plans"));
  }
}

// Identifies the build, for programs that use this library. The launcher compares builds earlier
// (launcher/job/build_agreement.h).
std::string build_text() {
  return fmt::format("protocol number of Tacit = {}\ngenerators of Tacit = {}\n", mpc::kProtocolNumber,
                     digest_of_generators());
}

// The parts of a run that are the same in a party's session and in the dealer's.
class Run {
 public:
  Run(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
      const RunOptions& options, Goal goal)
      : mesh_(mesh), data_(data), training_(training), own_(own), options_(options), goal_(goal) {
    const bool party = mesh.world().is_party();
    if (party != (own != nullptr)) {
      throw ConfigError(party ? "this rank is a party, but was given no data; every party trains on its own part"
                              : "this rank is the dealer, but was given data; the dealer sees none");
    }
    begin_phase("comparing the jobs");
    expect_same_plans(mesh, fmt::format("{}{}goal = {}\nwithout a checkpoint = {}\n", build_text(),
                                        to_text(settings_of(Plans{data, training}, Scope::kSession)),
                                        static_cast<int>(goal), static_cast<int>(options.if_none)));
    if (party) {
      about_own("its part of the data", [&] {
        check_part(*own, data.ownership, mesh.rank(), mesh.parties(), options.data_name);
        if (data.classes > 0) check_classes(*own, data.classes, options.data_name);
      });
    }
    begin_phase("agreeing on the data");
    agreement_ = agree_on_data(mesh, data, training, own);
    if (options.on_agreement) options.on_agreement(agreement_);
    if (!keeps_checkpoints()) return;
    if (party && !options.checkpoints) {
      throw ConfigError("checkpoints are to be kept, but this rank was given no folder and no key for them");
    }
    begin_phase("looking for a checkpoint");
    CheckpointStore::Found found;
    if (party) {
      found = about_own(kCheckpoints, [&] { return store_.emplace(of_this_job(*options.checkpoints)).find(); });
    }
    for (const std::string& why : found.refused) {
      if (options.on_note) options.on_note(why);
    }
    const bool needed = goal == Goal::kPrediction || options.if_none == IfNone::kRefuse;
    point_ = agree_on_checkpoint(mesh, found.usable, needed ? IfNone::kRefuse : IfNone::kStartAfresh,
                                 training.checkpoint_every, options.on_note, found.saved);
    if (!point_) return;
    held_ = agree_on_kept(mesh, store_ ? &*store_ : nullptr, point_->id, revealed_once_names(training));
    if (options.on_resume) options.on_resume(point_->id.epoch);
  }

  RunResult as_party() {
    const net::AllReducePlan openings = openings_of_this_run();
    mpc::PartySession session(mesh_, openings, {.threads = options_.threads});
    RunResult result = result_of(session, [&](Trainer& trainer) {
      if (!store_) return;
      if (point_) {
        trainer.restore(about_own(kCheckpoints, [&] { return store_->resume(session, session.nonce(), point_->id); }));
      } else {
        about_own(kCheckpoints, [&] { store_->begin(session, session.nonce()); });
      }
      trainer.on_checkpoint([&](const TrainingState& state) {
        about_own(kCheckpoints, [&] { store_->save(session, state); });
        if (options_.on_checkpoint) options_.on_checkpoint(state.epochs);
      });
    });
    result.openings = openings;
    return result;
  }

  RunResult as_dealer() {
    mpc::DealerSession session(mesh_, {.threads = options_.threads});
    RunResult result = result_of(session, [&](Trainer& trainer) {
      if (point_) trainer.restore(restored_by_dealer(session, point_->layout));
    });
    session.flush();
    return result;
  }

 private:
  // The settings with one epoch, since a run may resume with more epochs than it was planned for.
  StoreOptions of_this_job(StoreOptions options) const {
    Plans plans{data_, training_};
    plans.training.epochs = 1;
    const SettingList settings = settings_of(plans, Scope::kRun);
    options.job = digest_of(settings);
    options.model = digest_of(settings_of(plans, Scope::kModel));
    options.settings = to_text(settings);
    options.predicting = goal_ == Goal::kPrediction;
    return options;
  }

  void begin_phase(const char* phase) const {
    mesh_.set_step(phase);
    if (options_.on_phase) options_.on_phase(phase);
  }

  net::AllReducePlan openings_of_this_run() const {
    if (const auto known = plan_of(training_.openings, mesh_.parties())) return *known;
    begin_phase("measuring the links");
    net::Group group(mesh_);
    return net::calibrate_all_reduce(group, kCalibration).plan;
  }

  bool keeps_checkpoints() const { return training_.checkpoint_every > 0 || goal_ == Goal::kPrediction; }

  template <typename Prepare>
  RunResult result_of(mpc::Session& session, const Prepare& prepare) {
    begin_phase("testing the session");
    session.begin_part(kTestPart);
    mpc::expect_known_answer(session);
    begin_phase("sharing the data");
    const PartOf part = [&](int rank) { return rank == mesh_.rank() ? own_ : nullptr; };
    KeptShares kept(store_ ? &*store_ : nullptr, point_ ? std::optional(point_->id) : std::nullopt, std::move(held_));
    Trainer trainer(session, training_, share_graph(session, data_, training_, agreement_, part));
    if (keeps_checkpoints()) trainer.reveal_once(&kept);
    session.begin_part(kCheckpointPart);
    prepare(trainer);
    session.end_part();
    RunResult result;
    trainer.count_traffic([&] { return mesh_.traffic(); });
    if (goal_ == Goal::kTraining) {
      begin_phase("training");
      trainer.run([&](const EpochEvent& event) {
        if (!event.readings.empty()) result.readings = event.readings;
        if (options_.on_epoch) options_.on_epoch(event);
      });
    }
    begin_phase("revealing results");
    result.epochs = trainer.state().epochs;
    result.model = trainer.reveal_model();
    result.predictions = trainer.reveal_predictions();
    session.begin_part(kComparePart);
    mpc::compare_transcripts(session);
    session.end_part();
    result.profile = trainer.profile();
    result.reveals = mpc::with_test_value_last(store_ ? store_->reveals(session) : session.reveals());
    result.decisions = session.decisions();
    result.cost = session.stated();
    result.costs = session.stated_by_protocol();
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
  KeptByName held_;  // the shares of revealed values that are kept for that point
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
  if (!training.predictions_to && !training.model_to) {
    throw ConfigError("the job reveals neither predictions nor the model: set an audience for one of them");
  }
  return run(mesh, data, training, own, options, Goal::kPrediction);
}

}  // namespace tacit::gnn
