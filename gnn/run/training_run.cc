#include "gnn/run/training_run.h"

#include <fmt/format.h>

#include "gnn/checkpoint/kept_shares.h"
#include "gnn/data/part_check.h"
#include "gnn/plan/plans.h"
#include "gnn/run/aggregate_run.h"
#include "gnn/run/bounded_leakage.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/run_steps.h"
#include "gnn/settings/setting_list.h"
#include "gnn/train/agreed_privacy.h"
#include "gnn/train/perturbed_graph.h"
#include "gnn/train/share_records.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/random/common_seed.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"

namespace tacit::gnn {

namespace {

constexpr std::string_view kLedger = "its privacy ledger";
const RunOptions kQuietTraining{};

// The parts of a run that are the same in a party's session and in the dealer's.
class Run {
 public:
  Run(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
      const RunOptions& options)
      : mesh_(mesh), data_(data), training_(training), own_(own), options_(options) {
    const bool party = mesh.world().is_party();
    if (party != (own != nullptr)) {
      throw ConfigError(party ? "this rank is a party, but was given no data; every party trains on its own part"
                              : "this rank is the dealer, but was given data; the dealer sees none");
    }
    begin_phase("comparing the jobs");
    expect_same_plans(mesh, {data, training},
                      fmt::format("goal = training\n{}without a checkpoint = {}\n", source_line(training),
                                  static_cast<int>(options.if_none)));
    source_ = source_of(training, mesh.world());
    if (party) {
      about_own("its part of the data", [&] {
        check_part(*own, data.ownership, mesh.rank(), mesh.parties(), options.data_name);
        if (data.classes > 0 && !data.links) check_classes(*own, data.classes, options.data_name);
        if (data.links) check_links(*own, *data.links, data.ownership.edges, options.data_name);
        if (training.privacy && training.privacy->unit == PrivacyUnit::kRecord) {
          check_masks_apart(*own, options.data_name);
        }
        check_missing_features(*own, data.fills_features(), options.data_name);
        if (data.features == FeatureScaling::kWhole) {
          check_whole_features(*own, training.ranges.features, options.data_name);
        }
        check_edge_weights(*own, data.edge_weights, options.data_name);
        check_sums_of_weights(*own, data.ownership.edges, mesh.parties(), options.data_name);
        check_numbers_of_edges(*own, data.ownership.edges, mesh.parties(), options.data_name);
      });
      if (data.links) own_ = &apart_.emplace(with_links_apart(*own, *data.links));
    }
    begin_phase("agreeing on the data");
    agreement_ = agree_on_data(mesh, data, training, own_);
    if (options.on_agreement) options.on_agreement(agreement_);
    expect_bounded_leakage(data, training, agreement_, mesh.parties());
    if (!keeps_checkpoints()) return;
    if (party && !options.checkpoints) {
      throw ConfigError("checkpoints are to be kept, but this rank was given no folder and no key for them");
    }
    begin_phase("looking for a checkpoint");
    CheckpointStore::Found found;
    if (party) {
      found = about_own(kCheckpoints, [&] {
        return store_.emplace(store_of_job(*options.checkpoints, {data, training})).find();
      });
    }
    for (const std::string& why : found.refused) {
      if (options.on_note) options.on_note(why);
    }
    point_ = agree_on_checkpoint(mesh, found.usable, options.if_none, training.checkpoint_every, options.on_note,
                                 found.saved);
    if (!point_) return;
    // In the mode "aggregate" a value is revealed exactly, so a second reveal discloses nothing more.
    if (!training.aggregates())
      held_ = agree_on_kept(mesh, store_ ? &*store_ : nullptr, point_->id, revealed_once_names(training));
    if (options.on_resume) options.on_resume(point_->id.epoch);
  }

  RunResult aggregate() {
    find_privacy();
    const auto traffic = [this] { return mesh_.traffic(); };
    const net::AllReducePlan openings =
        openings_of_session(mesh_, training_.openings, [&] { begin_phase("measuring the links"); });
    mpc::PartySession session(mesh_, openings, {.threads = options_.threads}, source_);
    reserve_privacy(session.nonce());
    try {
      std::optional<TrainingState> resumed;
      if (point_)
        resumed = about_own(kCheckpoints, [&] { return store_->resume(session, session.nonce(), point_->id); });
      begin_phase("training");
      RunResult result = run_aggregate(session, training_, data_, agreement_, *privacy_, &*records_, options_, traffic,
                                       [&](AggregateTrainer& trainer) {
                                         if (resumed) trainer.restore(std::move(*resumed));
                                         if (store_) keep_checkpoints(session, trainer);
                                         if (store_)
                                           tell_repeated(steps_in(store_->reveals(session)) - steps_at_point());
                                         note_epochs(trainer);
                                       });
      result.openings = openings;
      if (store_) result.reveals = store_->reveals(session);
      result.spent = SpentPrivacy{steps_in(result.reveals), charge_so_far()};
      end_reservation();
      return result;
    } catch (...) {
      if (!released_) give_up_reservation();  // no value was revealed, so no privacy is spent
      throw;
    }
  }

  RunResult as_party() {
    if (training_.privacy) find_privacy();
    const net::AllReducePlan openings =
        openings_of_session(mesh_, training_.openings, [&] { begin_phase("measuring the links"); });
    const mpc::SessionOptions options{.threads = options_.threads, .device = options_.device};
    const std::unique_ptr<mpc::MakingAhead> maker = maker_of(training_, mesh_, options);
    mpc::PartySession session(mesh_, openings, options, maker ? maker->source() : source_);
    if (privacy_ && privacy_->unit == PrivacyUnit::kRecord && privacy_->sampling == Sampling::kParties) {
      together_ = std::make_shared<mpc::PoissonSample>(mpc::common_seed(mesh_, session.nonce()), privacy_->rate);
    }
    if (!privacy_) return as_party(session, openings, maker.get());
    reserve_privacy(session.nonce());
    try {
      RunResult result = as_party(session, openings, maker.get());
      end_reservation();
      note_spent(result);
      return result;
    } catch (...) {
      if (!released_) give_up_reservation();
      throw;
    }
  }

  RunResult as_dealer() {
    if (training_.privacy) {
      privacy_ = privacy_of(training_, agreement_);
      if (options_.on_privacy) options_.on_privacy(*privacy_, std::nullopt);
    }
    mpc::DealerSession session(mesh_, {.threads = options_.threads, .device = options_.device});
    RunResult result = result_of(
        session, [&] { return restored_by_dealer(session, point_->layout); }, [](Trainer&) {});
    session.flush();
    note_spent(result);
    return result;
  }

 private:
  // The maker's half of a party's run: it has no data, like a dealer's, reports no phases, and knows the account of privacy.
  struct OfMaker {};
  Run(const Run& party, OfMaker)
      : mesh_(party.mesh_),
        data_(party.data_),
        training_(party.training_),
        own_(nullptr),
        options_(kQuietTraining),
        agreement_(sizes_of(party.agreement_)),
        privacy_(party.privacy_),
        is_maker_(true),
        point_(party.point_),
        held_(without_contents(party.held_)) {}

  void begin_phase(const char* phase) const {
    if (is_maker_) return;
    mesh_.set_step(phase);
    if (options_.on_phase) options_.on_phase(phase);
  }

  // `maker`: null if the session has a dealer.
  RunResult as_party(mpc::PartySession& session, const net::AllReducePlan& openings, mpc::MakingAhead* maker) {
    if (maker == nullptr) return as_party(session, openings);
    Run half(*this, OfMaker());
    RunResult result;
    maker->run(
        [&](mpc::Session& ahead) {
          half.result_of(
              ahead, [&] { return restored_by_dealer(ahead, half.point_->layout); }, [](Trainer&) {});
        },
        [&] { result = as_party(session, openings); });
    add_making(*maker, result);
    return result;
  }

  RunResult as_party(mpc::PartySession& session, const net::AllReducePlan& openings) {
    const auto resume = [&] {
      return about_own(kCheckpoints, [&] { return store_->resume(session, session.nonce(), point_->id); });
    };
    // A perturbed model reveals metrics of its first network before there is a trainer of the job.
    if (store_ && training_.model.perturbed) begin_store(session);
    RunResult result = result_of(session, resume, [&](Trainer& trainer) {
      if (store_) keep_checkpoints(session, trainer);
      if (!privacy_) return;
      if (store_) find_repeated();
      if (ledger_ || store_) note_reveals(session, trainer);
    });
    result.openings = openings;
    return result;
  }

  Trainer trainer_of(mpc::Session& session, const PartOf& part, std::optional<TrainingState>& resumed) {
    const DataScale* scale = resumed ? &resumed->scale : nullptr;
    if (!training_.model.perturbed) {
      return {session, training_,
              share_for_training(session, data_, training_, agreement_, part, source_of_records(), scale)};
    }
    if (resumed && !resumed->perturbed) {
      throw ConfigError("the checkpoint has no sums over edges; resume with the job that saved it");
    }
    PerturbedGraph made = resumed ? perturbed_graph_again(session, data_, training_, agreement_, part,
                                                          std::move(*resumed->perturbed), *scale)
                                  : perturbed_graph(session, data_, training_, agreement_, part, *privacy_);
    without_edges_ = std::move(made.of_encoder);
    perturbed_ = std::move(made.made);
    if (options_.on_note) {
      for (const EpochEvent::Reading& one : without_edges_) {
        options_.on_note(fmt::format("without edges: {} {:.4g}", name_of(one.what), one.value));
      }
    }
    return {session, made.plan, std::move(made.graph)};
  }

  // Finds, at a party, the account of a private training and the party's own records.
  void find_privacy() {
    privacy_ = privacy_of(training_, agreement_);
    if (privacy_->unit == PrivacyUnit::kEdge) return;
    about_own("its part of the data", [&] {
      if (privacy_->sampling == Sampling::kParties) return check_within_ranges(training_, *own_, options_.data_name);
      records_ = own_records(data_, training_, *own_, privacy_->most_drawn[static_cast<std::size_t>(mesh_.rank())],
                             options_.data_name);
      // A party to which the job gives no rows has no matrices.
      const Holding& holding = agreement_.holding;
      if (records_->x.cols() == 0) records_->x = Matrix(0, holding.features);
      if (records_->y.cols() == 0) records_->y = Matrix(0, data_.classes > 0 ? data_.classes : holding.targets);
    });
  }

  void reserve_privacy(const mpc::Nonce& session) {
    if (options_.ledger) {
      begin_phase("reserving the privacy");
      SessionStart start{session, options_.ledger->job, options_.ledger->data, {}};
      if (privacy_->unit == PrivacyUnit::kRecord) start.cleaning = options_.ledger->cleaning;
      if (point_) start.from = SessionStart::From{point_->id.nonce, steps_until(point_->id.epoch)};
      about_own(kLedger, [&] {
        ledger_.emplace(options_.ledger->file, options_.ledger->owner);
        // A training that goes on with fewer epochs than before may have done more than that already.
        const std::int64_t done = point_ ? point_->id.epoch : 0;
        charge_ = ledger_->reserve(start, privacy_->account(std::max(training_.epochs, done)));
      });
      tell_new_ledger();
    }
    if (options_.on_privacy) options_.on_privacy(*privacy_, charge_);
  }

  void tell_new_ledger() const {
    if (!ledger_->is_new() || !options_.on_note) return;
    options_.on_note(
        fmt::format("the privacy ledger {} is new: it has no budget, and earlier jobs on these data are not in it. If "
                    "the data have a "
                    "ledger elsewhere, end this job and name that one; `tacit privacy allow` sets a budget",
                    options_.ledger->file.string()));
  }

  // The steps that the checkpoint of this session contains.
  std::int64_t steps_at_point() const { return point_ ? steps_until(point_->id.epoch) : 0; }

  // Edges are read in one step, before the first epoch.
  std::int64_t steps_until(std::int64_t epoch) const {
    return privacy_->unit == PrivacyUnit::kEdge ? 1 : epoch * privacy_->steps;
  }

  // The epsilon in the ledger before this session, and the epsilon with all values that were revealed so far.
  std::optional<Charge> charge_so_far() const {
    if (!charge_) return std::nullopt;
    const LedgerContent& content = ledger_->content();
    const double delta = content.allowed ? content.allowed->delta : kUsualDelta;
    return Charge{charge_->before, epsilon_of(content.charged_at_most(delta), delta)};
  }

  // The number of steps in the mode "aggregate", where each step reveals a sum.
  static std::int64_t steps_in(const std::vector<mpc::Reveal>& reveals) {
    std::int64_t steps = 0;
    for (const mpc::Reveal& line : reveals) steps += line.reason == AggregateTrainer::kSum ? line.count : 0;
    return steps;
  }

  // Finds, on shares, the steps in values of earlier sessions that this session's checkpoint does not contain.
  void find_repeated() {
    const std::int64_t kept = steps_at_point();
    repeated_ = std::max(store_->steps() - kept, std::int64_t{0});
    about_own(kCheckpoints, [&] { store_->set_steps(kept); });  // a checkpoint counts as a reveal
    tell_repeated(repeated_);
  }

  void tell_repeated(std::int64_t repeated) const {
    if (repeated <= 0 || !options_.on_note) return;
    options_.on_note(
        fmt::format("epsilon counts {} {} twice: earlier sessions revealed {} after the last checkpoint, and a "
                    "repeated step has other records and other noise",
                    repeated, repeated == 1 ? "step" : "steps",
                    training_.aggregates() ? "their sums" : "values that contain them"));
  }

  // Notes epochs in the mode "aggregate", where every step is a release.
  void note_epochs(AggregateTrainer& trainer) {
    trainer.before_epochs([this](std::int64_t steps) {
      if (ledger_) note_release("sums of clipped gradients", "everyone", steps);
      released_ = true;
    });
  }

  // A value that a session on shares reveals contains all steps before it.
  void note_reveals(mpc::Session& session, const Trainer& trainer) {
    session.before_reveals([this, &trainer, noted = std::int64_t{0}](const std::vector<mpc::Reveal>&) mutable {
      const bool edges = privacy_->unit == PrivacyUnit::kEdge;  // one step, before the first epoch
      const std::int64_t steps = edges ? 1 : trainer.steps();
      if (steps <= noted) return;
      noted = steps;
      note_release("values that the job reveals", "their recipients", noted);
    });
  }

  // A checkpoint is a release as well: another job may reveal the model in it, or predictions, and has no ledger.
  void note_release(std::string_view what, std::string_view to, std::int64_t steps) {
    if (ledger_) about_own(kLedger, [&] { ledger_->revealed(what, to, steps); });
    if (store_ && !training_.aggregates()) about_own(kCheckpoints, [&] { store_->set_steps(repeated_ + steps); });
    released_ = true;
  }

  // The values that a training on shares revealed before it stopped contain its own steps, and not all planned ones. The
  // values of earlier sessions contain the repeated steps.
  void note_spent(RunResult& result) const {
    if (!privacy_) return;
    const std::int64_t steps = steps_until(result.epochs);
    if (repeated_ == 0 && steps == steps_until(training_.epochs)) return;
    result.spent = SpentPrivacy{repeated_ + steps, charge_so_far()};
  }

  // After an error, which may be the ledger's own: a ledger that cannot be written has no line about the end.
  void give_up_reservation() noexcept {
    try {
      end_reservation();
    } catch (...) {  // the first error is the one to tell
    }
  }

  void end_reservation() {
    if (ledger_) about_own(kLedger, [&] { ledger_->ended(); });
  }

  // The records of a private training; empty for other trainings.
  std::optional<RecordSource> source_of_records() {
    if (!privacy_ || privacy_->unit == PrivacyUnit::kEdge) return std::nullopt;
    const auto owned = [this](int rank) { return rank == mesh_.rank() && records_ ? &*records_ : nullptr; };
    return RecordSource{*privacy_, 0, 0, owned, together_, {}, {}};
  }

  // Begins the store of a session that does not resume.
  void begin_store(mpc::PartySession& session) {
    if (point_ || begun_) return;
    begun_ = true;
    about_own(kCheckpoints, [&] { store_->begin(session, session.nonce()); });
  }

  template <typename AnyTrainer>
  void keep_checkpoints(mpc::PartySession& session, AnyTrainer& trainer) {
    begin_store(session);
    trainer.on_checkpoint([this, &session](TrainingState state) {
      state.perturbed = perturbed_;
      if (privacy_) note_release("a checkpoint", "whom later predictions name", steps_until(state.epochs));
      about_own(kCheckpoints, [&] { store_->save(session, state); });
      if (options_.on_checkpoint) options_.on_checkpoint(state.epochs);
    });
  }

  bool keeps_checkpoints() const { return training_.checkpoint_every > 0; }

  // `resume` returns the state of the checkpoint, and is called if there is one. `prepare` is called before the training.
  template <typename Resume, typename Prepare>
  RunResult result_of(mpc::Session& session, const Resume& resume, const Prepare& prepare) {
    begin_phase("testing the session");
    session.begin_part(kTestPart);
    mpc::expect_known_answer(session);
    std::optional<TrainingState> resumed;
    if (point_) {
      session.begin_part(kCheckpointPart);
      resumed = resume();
    }
    begin_phase("sharing the data");
    const PartOf part = [&](int rank) { return rank == mesh_.rank() ? own_ : nullptr; };
    KeptShares kept(store_ ? &*store_ : nullptr, point_ ? std::optional(point_->id) : std::nullopt, std::move(held_));
    Trainer trainer = trainer_of(session, part, resumed);
    if (keeps_checkpoints()) trainer.reveal_once(&kept);
    if (resumed) trainer.restore(std::move(*resumed));
    prepare(trainer);
    // All parties keep the noisy sums before any value that contains the noise is revealed.
    if (perturbed_ && !point_ && keeps_checkpoints()) trainer.keep_beginning();
    RunResult result;
    trainer.count_traffic([&] { return mesh_.traffic(); });
    begin_phase("training");
    trainer.run([&](const EpochEvent& event) {
      const auto& readings = event.of_epoch ? event.of_best : event.readings;
      if (!readings.empty()) result.readings = readings;
      result.of_epoch = event.of_epoch;
      if (options_.on_epoch) options_.on_epoch(event);
    });
    begin_phase("revealing results");
    result.epochs = trainer.state().epochs;
    result.without_edges = without_edges_;
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
  std::optional<GraphData> apart_;  // of a job that learns links
  const GraphData* own_;
  const RunOptions& options_;
  mpc::CorrelationSource source_;  // of a party's session
  DataAgreement agreement_;
  std::optional<TrainingPrivacy> privacy_;        // of a private training
  std::optional<OwnRecords> records_;             // at a party
  std::shared_ptr<mpc::PoissonSample> together_;  // at a party, if all parties sample together
  std::optional<PrivacyLedger> ledger_;
  std::optional<Charge> charge_;                    // for the reservation
  std::vector<EpochEvent::Reading> without_edges_;  // of a perturbed model
  std::optional<TrainingState::Perturbed> perturbed_;
  std::int64_t repeated_ = 0;  // on shares: steps in values of earlier sessions that this session's checkpoint lacks
  bool released_ = false;      // a value that contains a step may have been revealed
  const bool is_maker_ = false;
  std::optional<CheckpointStore> store_;
  bool begun_ = false;  // the store has begun a new run
  std::optional<ResumePoint> point_;
  KeptByName held_;  // the shares of revealed values that are kept for that point
};

}  // namespace

RunResult run_training(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                       const RunOptions& options) {
  Run one(mesh, data, training, own, options);
  if (training.aggregates()) return one.aggregate();
  return own != nullptr ? one.as_party() : one.as_dealer();
}

StoreOptions store_of_job(StoreOptions options, Plans plans) {
  const std::optional<PrivacySettings>& privacy = plans.training.privacy;
  if (!privacy || privacy->noise || privacy->unit == PrivacyUnit::kEdge) plans.training.epochs = 1;
  if (plans.training.stopping) plans.training.stopping->judged.patience = 1;
  const SettingList settings = settings_of(plans, Scope::kRun);
  options.job = digest_of(settings);
  options.model = digest_of(settings_of(plans, Scope::kModel));
  options.settings = to_text(settings);
  return options;
}

}  // namespace tacit::gnn
