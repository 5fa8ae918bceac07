// Trainings in the mode "aggregate" with checkpoints and early stopping: a later session goes on from the exact state of the
// earlier one, with other noise, and the account has every step that was revealed.
#include <gmock/gmock.h>

#include <map>

#include "gnn/aggregate/aggregate_trainer.h"
#include "gnn/data/split.h"
#include "gnn/plan/plans.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/prediction_run.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/run/record_jobs.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

struct Session {
  std::vector<RunResult> ranks;
  std::vector<std::string> errors;  // of the ranks
  std::vector<std::string> notes;   // at rank 0
  std::vector<std::int64_t> epochs, resumed;
  std::map<std::int64_t, std::vector<double>> readings;  // by epoch
};

class AggregateWithCheckpoints : public testing::Test {
 protected:
  AggregateWithCheckpoints() : job_(records_job(3)) { job_.training.checkpoint_every = 2; }

  // A session of the job. Rank 0 fails after the epoch `killed`, or not at all if it is 0.
  Session session(IfNone if_none = IfNone::kStartAfresh, std::int64_t killed = 0) {
    Session made;
    made.ranks.resize(static_cast<std::size_t>(parties_));
    const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(parties_, 0), [&](net::Mesh& mesh) {
      const GraphData own = part_of(job_.whole, job_.data.ownership, mesh.rank(), parties_);
      RunOptions options;
      options.checkpoints = store(mesh.rank());
      if (ledgers_) options.ledger = {ledger(mesh.rank()), "a rank", {}, {}};
      options.if_none = if_none;
      if (mesh.rank() == 0) {
        options.on_resume = [&](std::int64_t epoch) { made.resumed.push_back(epoch); };
        options.on_note = [&](const std::string& note) { made.notes.push_back(note); };
        options.on_epoch = [&](const EpochEvent& event) {
          made.epochs.push_back(event.epoch);
          for (const auto& reading : event.readings) made.readings[event.epoch].push_back(reading.value);
          if (event.epoch == killed) throw ConfigError("killed");
        };
      }
      made.ranks[static_cast<std::size_t>(mesh.rank())] = run_training(mesh, job_.data, job_.training, &own, options);
    });
    for (const auto& error : errors) made.errors.push_back(net::message_of(error));
    if (killed == 0 && if_none == IfNone::kStartAfresh) {
      EXPECT_THAT(made.errors, Each(""));
    }
    return made;
  }
  Session resumed() {
    Session made = session(IfNone::kRefuse);
    EXPECT_THAT(made.errors, Each(""));
    return made;
  }
  std::vector<std::string> refused() { return session(IfNone::kRefuse).errors; }

  StoreOptions store(int rank) const {
    StoreOptions options = folder_.options(rank);
    options.parties = parties_;
    options.folder = folder_.path(name_);
    return options;
  }
  std::filesystem::path ledger(int rank) const { return folder_.path("ledger" + std::to_string(rank)); }

  SampleFolder folder_;
  Job job_;
  int parties_ = 2;
  bool ledgers_ = false;
  std::string name_ = "first";  // of the checkpoints' folder
};

double distance(const std::vector<NamedMatrix>& a, const std::vector<NamedMatrix>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, (a[i].values - b[i].values).cwiseAbs().maxCoeff());
  return most;
}

EarlyStopping by_validation_loss(std::int64_t patience, double least_improvement) {
  return {.judged = {.metric = Metric::kLoss,
                     .part = Part::kValidation,
                     .patience = patience,
                     .least_improvement = least_improvement}};
}

TEST_F(AggregateWithCheckpoints, EndsWithTheModelOfAnUninterruptedTraining) {
  const std::vector<OptimiserOptions> optimisers = {SgdOptions{}, SgdOptions{.momentum = 0.9, .weight_decay = 0.01},
                                                    AdamOptions{.epsilon = 4}};
  for (const OptimiserOptions& optimiser : optimisers) {
    for (const int parties : {1, 3}) {
      parties_ = parties;
      job_.training.optimiser = optimiser;
      job_.training.rate.initial = 0.05;
      name_ += "+";
      const Session whole = session();
      name_ += "+";
      EXPECT_THAT(session(IfNone::kStartAfresh, 5).errors[0], HasSubstr("killed"));
      const Session later = resumed();
      EXPECT_THAT(later.resumed, ElementsAre(4));
      EXPECT_THAT(later.epochs, ElementsAre(5, 6));
      for (const RunResult& rank : later.ranks) {
        EXPECT_EQ(rank.epochs, 6);
        EXPECT_LT(distance(rank.model, whole.ranks[0].model), 0.02);  // two runs with other noise
        EXPECT_EQ(distance(rank.model, later.ranks[0].model), 0);
      }
      const Session again = resumed();  // tells the results again
      EXPECT_EQ(distance(again.ranks[0].model, later.ranks[0].model), 0);
      ASSERT_EQ(again.ranks[0].readings.size(), 2);
      EXPECT_EQ(again.ranks[0].readings[0].value, later.ranks[0].readings[0].value);
    }
  }
}

TEST_F(AggregateWithCheckpoints, HasExactlyTheStateThatItSaved) {
  job_.training.checkpoint_every = 3;
  job_.training.evaluate_every = 1;
  job_.training.stopping = by_validation_loss(3, 0.5);
  for (const OptimiserOptions& optimiser :
       {OptimiserOptions(SgdOptions{.momentum = 0.5}), OptimiserOptions(AdamOptions{})}) {
    job_.training.optimiser = optimiser;
    const TrainingPrivacy privacy = record_privacy(job_.training, {54}, 1);
    const OwnRecords own = own_records(job_.data, job_.training, job_.whole, privacy.most(), "the rows");
    mpc::ClearSession session;
    const auto made = [&] {
      return std::make_unique<AggregateTrainer>(session, job_.training, privacy, Shape{kRecordFeatures, 3},
                                                Counts{54, 18, 18}, &own);
    };
    const auto first = made(), second = made();
    TrainingState saved;
    first->on_checkpoint([&](const TrainingState& state) { saved = state; });
    first->run();
    second->restore(saved);
    const TrainingState restored = second->state();
    EXPECT_EQ(restored.epochs, saved.epochs);
    EXPECT_EQ(restored.optimiser.steps, saved.optimiser.steps);
    EXPECT_EQ(restored.progress.stale, saved.progress.stale);
    EXPECT_EQ(restored.progress.best, saved.progress.best);
    ASSERT_TRUE(restored.best);
    EXPECT_EQ(restored.best->epoch, saved.best->epoch);
    EXPECT_EQ(distance(restored.known, saved.known), 0);
    EXPECT_EQ(std::ssize(saved.known), 4 * (optimiser.index() == 0 ? 3 : 4)) << "model, optimiser, best model";
    saved.known.pop_back();
    EXPECT_THROW(made()->restore(saved), ConfigError);
  }
}

TEST_F(AggregateWithCheckpoints, HasOtherNoiseAfterAResume) {
  job_.training.privacy->noise = 2;
  job_.training.epochs = 2;
  session();
  std::filesystem::copy(folder_.path("first"), folder_.path("second"), std::filesystem::copy_options::recursive);
  job_.training.epochs = 3;
  const Session one = resumed();
  name_ = "second";
  EXPECT_GT(distance(one.ranks[0].model, resumed().ranks[0].model), 1e-3);
}

// The first session did five epochs, and the second one went on after the fourth.
TEST_F(AggregateWithCheckpoints, CountsARepeatedStepTwice) {
  job_.training.batch = 10;
  job_.training.privacy->noise = 1;
  ledgers_ = true;
  constexpr std::int64_t kSteps = 5;  // in an epoch
  const Session killed = session(IfNone::kStartAfresh, 5);
  const Session later = resumed();
  EXPECT_THAT(later.notes, ElementsAre(HasSubstr("epsilon counts 5 steps twice")));
  ASSERT_TRUE(later.ranks[0].spent);
  EXPECT_EQ(later.ranks[0].spent->steps, 7 * kSteps);
  EXPECT_GE(later.ranks[1].spent->steps, 7 * kSteps);
  EXPECT_LE(later.ranks[1].spent->steps, 7 * kSteps + 1) << "it may have begun the sixth epoch";
  const LedgerContent content = PrivacyLedger::read(ledger(0));
  EXPECT_FALSE(content.open);
  EXPECT_THAT(content.charged_steps(), ElementsAre(5 * kSteps, 2 * kSteps));
  const TrainingPrivacy privacy = record_privacy(job_.training, {30, 24}, 2);
  double expected = 0;
  for (const Adversary& one : privacy.account(7).adversaries) {
    const Mechanism steps = mechanism_of(privacy.account(7), one, 7 * kSteps);
    expected = std::max(expected, epsilon_of(std::span(&steps, 1), kUsualDelta).told());
  }
  ASSERT_TRUE(later.ranks[0].spent->charge);
  EXPECT_NEAR(later.ranks[0].spent->charge->after.told(), expected, 1e-6 * expected);
  // A second report of the results spends no privacy. Its job may have fewer epochs.
  job_.training.epochs = 4;
  const Session again = resumed();
  EXPECT_THAT(PrivacyLedger::read(ledger(0)).charged_steps(), ElementsAre(5 * kSteps, 2 * kSteps, 0));
  EXPECT_EQ(again.ranks[0].spent->steps, 7 * kSteps);
}

// Rank 0 alone sees the number that it judges.
TEST_F(AggregateWithCheckpoints, StopsAndKeepsTheBestModel) {
  for (const int parties : {1, 2, 3}) {
    parties_ = parties;
    name_ += "+";
    job_.training.checkpoint_every = 2;
    job_.training.epochs = 400;
    job_.training.evaluate_every = 1;
    job_.training.metrics[1].to = mpc::To::rank(0);
    job_.training.stopping = by_validation_loss(3, 0);
    job_.training.rate.initial = 16;  // far too large
    const Session stopped = session();
    std::int64_t best = 1;
    for (const auto& [epoch, values] : stopped.readings) {
      if (values[1] < stopped.readings.at(best)[1]) best = epoch;
    }
    ASSERT_LT(stopped.ranks[0].epochs, 400);
    EXPECT_EQ(stopped.ranks[0].epochs, best + 3);
    for (const RunResult& rank : stopped.ranks) {
      EXPECT_EQ(rank.epochs, best + 3);
      EXPECT_EQ(rank.of_epoch, best);
      EXPECT_EQ(distance(rank.model, stopped.ranks[0].model), 0);
      ASSERT_TRUE(rank.spent);
      EXPECT_EQ(rank.spent->steps, best + 3) << "fewer than planned";
    }
    ASSERT_EQ(stopped.ranks[0].readings.size(), 2);
    EXPECT_EQ(stopped.ranks[0].readings[1].value, stopped.readings.at(best)[1]);
    // The training stays stopped, and evaluates the best model again.
    const Session again = resumed();
    EXPECT_EQ(again.ranks[0].of_epoch, best);
    EXPECT_EQ(distance(again.ranks[0].model, stopped.ranks[0].model), 0);
    EXPECT_EQ(again.ranks[0].readings[1].value, stopped.readings.at(best)[1]);
    EXPECT_EQ(again.ranks[0].spent->steps, best + 3);
  }
}

TEST_F(AggregateWithCheckpoints, GoesOnAfterItStoppedIfItHasMorePatienceOrMoreEpochs) {
  job_.training.epochs = 20;
  job_.training.evaluate_every = 1;
  job_.training.stopping = by_validation_loss(2, 1000);
  EXPECT_THAT(session().epochs, ElementsAre(1, 2, 3)) << "the first number, and two that are no better by 1000";
  job_.training.stopping->judged.patience = 4;
  EXPECT_THAT(resumed().epochs, ElementsAre(4, 5));
  job_.training.epochs = 21;
  const Session more = resumed();
  EXPECT_THAT(more.epochs, ElementsAre(6, 7, 8));
  EXPECT_EQ(more.ranks[1].of_epoch, 1);
  job_.training.epochs = 7;
  EXPECT_THAT(resumed().epochs, ElementsAre(8)) << "only tells the results";
}

TEST_F(AggregateWithCheckpoints, LowersTheRateOnAPlateauAndRemembersIt) {
  job_.training.evaluate_every = 1;
  job_.training.checkpoint_every = 1;
  Plateau& plateau = job_.training.plateau.emplace();
  plateau.judged = by_validation_loss(2, 1000).judged;
  plateau.factor = 0.25;
  std::vector<double> rates;
  for (const std::int64_t epochs : {4, 8}) {
    job_.training.epochs = epochs;
    net::run_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
      const GraphData own = part_of(job_.whole, job_.data.ownership, mesh.rank(), 2);
      RunOptions options;
      options.checkpoints = store(mesh.rank());
      if (mesh.rank() == 1) options.on_epoch = [&](const EpochEvent& event) { rates.push_back(event.rate); };
      run_training(mesh, job_.data, job_.training, &own, options);
    });
  }
  EXPECT_THAT(rates, ElementsAre(0.5, 0.5, 0.5, 0.125, 0.125, 0.03125, 0.03125, 0.0078125));
}

TEST_F(AggregateWithCheckpoints, DoNotGoOnWithAnotherJobOrWithoutOneOfThem) {
  job_.training.epochs = 4;
  session();
  job_.training.rate.initial = 0.25;
  const Session other = session(IfNone::kRefuse);
  EXPECT_THAT(other.errors, Each(HasSubstr("there is nothing to resume from")));
  EXPECT_THAT(other.notes, testing::Contains(HasSubstr("belongs to another job (training.optimiser.rate")));
  job_.training.rate.initial = 0.5;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path("first"))) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("rank1-epoch")) std::filesystem::remove(entry.path());
  }
  for (const IfNone if_none : {IfNone::kRefuse, IfNone::kStartAfresh}) {
    const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
      const GraphData own = part_of(job_.whole, job_.data.ownership, mesh.rank(), 2);
      RunOptions options;
      options.checkpoints = store(mesh.rank());
      options.if_none = if_none;
      run_training(mesh, job_.data, job_.training, &own, options);
    });
    for (const auto& error : errors)
      EXPECT_THAT(net::message_of(error),
                  HasSubstr("rank 1 kept a checkpoint of epoch 4, and has none of this job now"));
  }
}

// An epsilon for more epochs needs more noise, also in the epochs that are done.
TEST_F(AggregateWithCheckpoints, GoOnWithMoreEpochsOnlyIfTheJobStatesTheNoise) {
  for (const bool stated : {true, false}) {
    name_ += "+";
    job_.training.privacy->noise = stated ? std::optional(1.0) : std::nullopt;
    job_.training.privacy->epsilon = stated ? std::nullopt : std::optional(8.0);
    job_.training.epochs = 4;
    session();
    job_.training.epochs = 6;
    const Session more = session(IfNone::kRefuse);
    if (stated) {
      EXPECT_THAT(more.errors, Each(""));
    } else {
      EXPECT_THAT(more.errors, Each(HasSubstr("there is nothing to resume from")));
      EXPECT_THAT(more.notes, testing::Contains(HasSubstr("training.epochs")));
    }
  }
}

// A training on shares with the same model cannot predict with them.
TEST_F(AggregateWithCheckpoints, PredictNothingOnShares) {
  session();
  job_.training.mode = TrainingMode::kShares;
  job_.training.privacy.reset();
  job_.training.predictions_to = mpc::To::rank(0);
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job_.whole, job_.data.ownership, mesh.rank(), 2);
    PredictionOptions options;
    if (own) options.checkpoints = store(mesh.rank());
    options.if_none = IfNone::kRefuse;
    if (mesh.rank() == 0) {
      options.on_note = [](const std::string& note) {
        EXPECT_THAT(note, HasSubstr("is of a training in the mode \"aggregate\""));
      };
    }
    run_prediction(mesh, job_.data, job_.training, own ? &*own : nullptr, options);
  });
  for (const auto& error : errors) EXPECT_THAT(net::message_of(error), HasSubstr("nothing to resume from"));
}

TEST_F(AggregateWithCheckpoints, CostWhatThePlanSays) {
  parties_ = 3;
  job_.training.epochs = 12;
  job_.training.batch = 20;
  job_.training.checkpoint_every = 5;
  job_.training.evaluate_every = 2;
  job_.training.stopping = by_validation_loss(100, 0);
  job_.training.stopping->keep_best = false;
  job_.training.plateau.emplace().judged = by_validation_loss(100, 0).judged;
  const Session ran = session();
  std::vector<GraphData> parts;
  for (int rank = 0; rank < 3; ++rank) parts.push_back(part_of(job_.whole, job_.data.ownership, rank, 3));
  const DataAgreement agreement = agreement_of(job_.data, job_.training, parts);
  for (int rank = 0; rank < 3; ++rank) {
    const PlannedRun planned =
        planned_run(job_.data, job_.training, agreement, {3, rank, net::AllReducePlan::unmeasured(3)});
    const RunResult& measured = ran.ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(planned.total.cost, measured.cost) << rank;
    ASSERT_EQ(planned.reveals.size(), measured.reveals.size());
    for (std::size_t i = 0; i < planned.reveals.size(); ++i) {
      EXPECT_EQ(planned.reveals[i].count, measured.reveals[i].count) << planned.reveals[i].reason;
    }
    ASSERT_EQ(planned.decisions.size(), measured.decisions.size());
    for (std::size_t i = 0; i < planned.decisions.size(); ++i)
      EXPECT_EQ(planned.decisions[i].count, measured.decisions[i].count);
  }
}

TEST_F(AggregateWithCheckpoints, CostTheSameIfSomeEpochsAreNotPlannedOneByOne) {
  std::vector<GraphData> parts;
  for (int rank = 0; rank < 2; ++rank) parts.push_back(part_of(job_.whole, job_.data.ownership, rank, 2));
  job_.training.batch = 20;
  job_.training.epochs = 60;
  for (const std::int64_t evaluated : {0, 1, 2, 7, 60}) {
    for (const std::int64_t kept : {0, 1, 4, 7, 25, 100}) {
      SCOPED_TRACE(testing::Message() << evaluated << ", " << kept);
      job_.training.evaluate_every = evaluated;
      job_.training.checkpoint_every = kept;
      job_.training.stopping.reset();
      if (evaluated > 0) job_.training.stopping = by_validation_loss(100, 0);
      const DataAgreement agreement = agreement_of(job_.data, job_.training, parts);
      const auto planned = [&](std::int64_t most_steps) {
        return planned_run(job_.data, job_.training, agreement, {2, 1, net::AllReducePlan::unmeasured(2), most_steps});
      };
      const PlannedRun all = planned(1000), some = planned(1);
      EXPECT_EQ(all.left_out.epochs, 0);
      EXPECT_GT(some.left_out.epochs, 20);
      EXPECT_EQ(all.total.cost, some.total.cost);
      ASSERT_EQ(all.reveals.size(), some.reveals.size());
      for (std::size_t i = 0; i < all.reveals.size(); ++i) {
        EXPECT_EQ(all.reveals[i].count, some.reveals[i].count) << all.reveals[i].reason;
        EXPECT_EQ(all.reveals[i].elements, some.reveals[i].elements) << all.reveals[i].reason;
      }
      ASSERT_EQ(all.decisions.size(), some.decisions.size());
      for (std::size_t i = 0; i < all.decisions.size(); ++i) EXPECT_EQ(all.decisions[i].count, some.decisions[i].count);
    }
  }
}

}  // namespace
}  // namespace tacit::gnn
