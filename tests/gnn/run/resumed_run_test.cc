// Sessions with checkpoints: a later session goes on from the state of the earlier one, stays stopped, predicts, and
// reveals the same shares again.
#include <map>

#include "gnn/data/several_graphs.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/run_with_checkpoints.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

using TrainingRunWithCheckpoints = RunWithCheckpoints;

TEST_F(TrainingRunWithCheckpoints, PredictsWithTheModelThatWasTrained) {
  const Outcome trained = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  const Outcome predicted = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
  EXPECT_TRUE(predicted.losses.empty());
  EXPECT_EQ(predicted.ranks[1].epochs, 30);
  EXPECT_EQ(predicted.ranks[0].model.at(0).values, trained.ranks[0].model.at(0).values);  // rounded once
  const Matrix difference = *predicted.ranks[1].predictions.values - *trained.ranks[1].predictions.values;
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 0.1);
}

// Fresh rounding would change the last digits in each reveal, and the mean of many reveals would
// expose the digits below.
TEST_F(TrainingRunWithCheckpoints, RevealsTheSameShareHoweverOftenItIsAskedFor) {
  const Outcome trained = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  for (int i = 0; i < 5; ++i) {
    const Outcome resumed = outcome_of(job_, 2, options(IfNone::kRefuse));
    EXPECT_TRUE(resumed.losses.empty());
    ASSERT_EQ(resumed.ranks[0].readings.size(), 1);
    EXPECT_EQ(resumed.ranks[0].readings[0].value, trained.ranks[0].readings[0].value) << "resume " << i;
    EXPECT_EQ(*resumed.ranks[1].predictions.values, *trained.ranks[1].predictions.values) << "resume " << i;
  }
  for (int i = 0; i < 10; ++i) {
    const Outcome predicted = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
    EXPECT_EQ(*predicted.ranks[1].predictions.values, *trained.ranks[1].predictions.values) << "prediction " << i;
  }
}

TEST_F(TrainingRunWithCheckpoints, KeepsTheShareOfPredictionsThatNoTrainingRevealed) {
  Job silent = job_;
  silent.training.predictions_to.reset();
  outcome_of(silent, 2, options(IfNone::kStartAfresh));
  const Outcome first = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
  const Outcome second = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
  EXPECT_EQ(*first.ranks[1].predictions.values, *second.ranks[1].predictions.values);
}

// Without its files a party holds no share, so all parties compute the value anew, together.
TEST_F(TrainingRunWithCheckpoints, ComputesAnewWhatOnePartyHasLost) {
  const Outcome trained = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.options(1).folder)) {
    if (entry.path().extension() == ".revealed") std::filesystem::remove(entry.path());
  }
  const Outcome resumed = outcome_of(job_, 2, options(IfNone::kRefuse));
  EXPECT_NEAR(resumed.ranks[0].readings[0].value, trained.ranks[0].readings[0].value, 0.1);
  const Outcome again = outcome_of(job_, 2, options(IfNone::kRefuse));
  EXPECT_EQ(again.ranks[0].readings[0].value, resumed.ranks[0].readings[0].value) << "kept from then on";
}

// The loss of the first epoch after a checkpoint depends on the checkpoint's state. A killed
// session and the next one from the same checkpoint reveal the same share of this loss.
TEST_F(TrainingRunWithCheckpoints, RevealsTheSameLossOfTheEpochThatIsRepeated) {
  const auto loss_of_epoch_11 = [&] {
    double seen = 0;
    net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
      std::optional<GraphData> own;
      if (mesh.world().is_party()) own = part_of(job_.whole, job_.data.ownership, mesh.rank(), 2);
      RunOptions run = options(IfNone::kStartAfresh)(mesh.rank());
      run.on_epoch = [&](const EpochEvent& event) {
        if (mesh.rank() == 0 && event.epoch == 11) seen = event.loss.value();
        if (mesh.rank() == 0 && event.epoch == 12) throw std::runtime_error("killed");
      };
      run_training(mesh, job_.data, job_.training, own ? &*own : nullptr, run);
    });
    return seen;
  };
  const double first = loss_of_epoch_11();
  EXPECT_GT(first, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(loss_of_epoch_11(), first);
}

TEST_F(TrainingRunWithCheckpoints, GoesOnWhereItWas) {
  Job first = job_;
  first.training.epochs = 20;
  const Outcome begun = outcome_of(first, 2, options(IfNone::kStartAfresh));
  const Outcome resumed = outcome_of(job_, 2, options(IfNone::kRefuse));
  EXPECT_EQ(begun.losses.size(), 20);
  EXPECT_EQ(resumed.losses.size(), 10);
  std::vector<double> losses = begun.losses;
  losses.insert(losses.end(), resumed.losses.begin(), resumed.losses.end());
  expect_like({losses, {}, resumed.ranks}, twin_of(job_), false, 0);
}

// While Adam looks its roots up, and while it follows them.
TEST_F(TrainingRunWithCheckpoints, GoesOnWithTheMeansOfAdam) {
  job_.training.optimiser = AdamOptions{};
  job_.training.rate.initial = 0.01;
  const Twin twin = twin_of(job_);
  for (const std::int64_t begun_epochs : {10, 20}) {
    SCOPED_TRACE(begun_epochs);
    const SampleFolder folder;
    const auto with_checkpoints = [&](int rank) {
      RunOptions made;
      if (rank < 2) made.checkpoints = folder.options(rank);
      return made;
    };
    Job first = job_;
    first.training.epochs = begun_epochs;
    std::vector<double> losses = outcome_of(first, 2, with_checkpoints).losses;
    const Outcome resumed = outcome_of(job_, 2, with_checkpoints);
    EXPECT_EQ(std::ssize(resumed.losses), 30 - begun_epochs);
    losses.insert(losses.end(), resumed.losses.begin(), resumed.losses.end());
    expect_like({losses, {}, resumed.ranks}, twin, false, 0);
  }
}

// A resumed session has the losses of an uninterrupted one, to rounding.
TEST(RunWithCheckpoints, GoesOnWhereItWas) {
  const std::vector<Job> jobs = {pooled_job(ownership_of("rows", "edges", "rows", "public")),
                                 classes_of_graphs_job(ownership_of("columns", "public", "rank 0", "rank 1")),
                                 snapshots_job(ownership_of("columns", "rank 1", "rank 0", "public"))};
  for (Job job : jobs) {
    SCOPED_TRACE(job.data.classes);
    constexpr int kOwners = 3;
    job.training.epochs = 10;
    const Outcome uninterrupted = outcome_of(job, kOwners);
    job.training.checkpoint_every = 5;
    const SampleFolder folder;
    const auto options = [&](int rank) {
      RunOptions made;
      if (rank < kOwners) made.checkpoints = folder.options(rank);
      if (rank < kOwners) made.checkpoints->parties = kOwners;
      return made;
    };
    Job first = job;
    first.training.epochs = 5;
    const Outcome begun = outcome_of(first, kOwners, options);
    const Outcome resumed = outcome_of(job, kOwners, options);
    EXPECT_EQ(begun.losses.size(), 5u);
    EXPECT_EQ(resumed.losses.size(), 5u);
    std::vector<double> losses = begun.losses;
    losses.insert(losses.end(), resumed.losses.begin(), resumed.losses.end());
    ASSERT_EQ(losses.size(), uninterrupted.losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i], uninterrupted.losses[i], 5e-3 * uninterrupted.losses[i]) << "epoch " << i + 1;
    }
    const Matrix difference = *resumed.ranks[1].predictions.values - *uninterrupted.ranks[1].predictions.values;
    EXPECT_EQ(difference.rows(), std::ssize(subjects_of(job.whole.nodes, job.whole.graphs)));
    EXPECT_LE((difference.array().abs() > 0.1).count(), difference.size() / 10);
  }
}

// Each part's time lies within an epoch or between two epochs, so the sums of both bound each other
// exactly.
TEST_F(TrainingRunWithCheckpoints, HasAProfileOfTheLastSessionWhoseTimesAddUpToTheEpochs) {
  for (const std::int64_t epochs : {20, 35}) {
    job_.training.epochs = epochs;
    const auto begin = net::Clock::now();
    const Outcome outcome = outcome_of(job_, 2, options(IfNone::kStartAfresh));
    const std::chrono::duration<double> wall = net::Clock::now() - begin;
    for (std::size_t rank = 0; rank < 2; ++rank) {
      const RunResult& result = outcome.ranks[rank];
      const TrainingProfile& profile = result.profile;
      EXPECT_EQ(profile.epochs, epochs == 20 ? 19 : 14);
      EXPECT_EQ(profile.cost(), result.cost) << "of this session";
      double within = 0, all = 0;
      for (const mpc::Profile* epochs_of : {&profile.first_epoch, &profile.later_epochs}) {
        for (const mpc::Profile::Part& part : epochs_of->parts) {
          const double seconds = std::chrono::duration<double>(part.time).count();
          all += seconds;
          if (part.name != kBetweenEpochs && part.name != kCheckpointPart) within += seconds;
        }
      }
      constexpr double kRounding = 1e-6;
      EXPECT_LE(within, outcome.seconds[rank] + kRounding);
      EXPECT_GE(all, outcome.seconds[rank] - kRounding);
      EXPECT_LE(std::chrono::duration<double>(profile.before.time() + profile.after.time()).count() + all,
                wall.count() + kRounding);
    }
    EXPECT_EQ(outcome.ranks[2].profile.cost(), mpc::Cost()) << "the dealer states nothing";
    EXPECT_EQ(outcome.ranks[2].profile.epochs, outcome.ranks[0].profile.epochs);
  }
}

// Readings before a resume count after it: a training that had stopped does not resume.
TEST_F(TrainingRunWithCheckpoints, StaysStopped) {
  job_.training.epochs = 200;
  job_.training.stopping = EarlyStopping{.judged = {.metric = {}, .patience = 2, .least_improvement = 0.05}};
  const Outcome stopped = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  EXPECT_LT(stopped.losses.size(), 100);
  const Outcome resumed = outcome_of(job_, 2, options(IfNone::kRefuse));
  EXPECT_TRUE(resumed.losses.empty());
  EXPECT_EQ(resumed.ranks[0].epochs, std::ssize(stopped.losses));
  ASSERT_EQ(resumed.ranks[0].readings.size(), 1);  // repeated for a rank that was absent
  EXPECT_EQ(resumed.ranks[0].readings[0].value, stopped.ranks[0].readings[0].value) << "the same share";
  // The best model is the result, before the resume and after it, and predicts.
  const std::int64_t last = stopped.ranks[0].epochs;
  EXPECT_EQ(stopped.ranks[0].of_epoch, last - 3);
  EXPECT_EQ(resumed.ranks[0].of_epoch, last - 3);
  const Outcome predicted = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
  ASSERT_FALSE(stopped.ranks[0].model.empty());
  for (const Outcome* again : {&resumed, &predicted}) {
    EXPECT_EQ(again->ranks[0].model.front().values, stopped.ranks[0].model.front().values);
  }
}

// The best model is of an epoch without a checkpoint, and its metric was revealed at that time: a later session reveals the
// share that the first one revealed.
TEST_F(TrainingRunWithCheckpoints, RevealsTheSameSharesOfTheBestModelInEverySession) {
  job_.training.epochs = 20;
  job_.training.checkpoint_every = 5;
  job_.training.evaluate_every = 3;
  job_.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTrain}, {Metric::kMeanAbsoluteError, Part::kTest}};
  job_.training.predictions_to = mpc::To::everyone();
  job_.training.stopping = EarlyStopping{
      .judged = {
          .metric = Metric::kRootMeanSquaredError, .part = Part::kTrain, .patience = 50, .least_improvement = 1000}};
  std::map<std::string, double> told;  // metrics of epoch 3: no later number is better by 1000
  net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job_.whole, job_.data.ownership, mesh.rank(), 2);
    RunOptions run = options(IfNone::kStartAfresh)(mesh.rank());
    run.on_epoch = [&](const EpochEvent& event) {
      if (mesh.rank() != 0) return;
      for (const auto& reading : event.readings) told.emplace(name_of(reading.what), reading.value);
      if (event.epoch == 13) throw std::runtime_error("killed");
    };
    run_training(mesh, job_.data, job_.training, own ? &*own : nullptr, run);
  });
  ASSERT_EQ(told.size(), 2u);
  std::vector<Matrix> predictions;
  const auto expect_told = [&](const Outcome& outcome, std::int64_t epochs) {
    EXPECT_EQ(outcome.ranks[0].epochs, epochs);
    EXPECT_EQ(outcome.ranks[0].of_epoch, 3);
    ASSERT_EQ(outcome.ranks[0].readings.size(), 2u);
    for (const auto& reading : outcome.ranks[0].readings) EXPECT_EQ(reading.value, told.at(name_of(reading.what)));
    predictions.push_back(*outcome.ranks[1].predictions.values);
    EXPECT_EQ(predictions.back(), predictions.front());
  };
  expect_told(outcome_of(job_, 2, options(IfNone::kRefuse)), 20);  // resumes after epoch 10
  expect_told(outcome_of(job_, 2, options(IfNone::kRefuse)), 20);  // only tells again
  job_.training.epochs = 26;
  expect_told(outcome_of(job_, 2, options(IfNone::kRefuse)), 26);
  expect_told(outcome_of(job_, 2, options(IfNone::kRefuse)), 26);
}

TEST_F(TrainingRunWithCheckpoints, GoesOnAfterItStoppedIfItHasMorePatienceOrMoreEpochs) {
  for (const int parties : {2, 3}) {
    const SampleFolder folder;
    const OptionsOf options = [&](int rank) {
      RunOptions made;
      if (rank < parties) made.checkpoints = folder.options(rank);
      if (rank < parties) made.checkpoints->parties = parties;
      return made;
    };
    Job job = job_;
    job.training.epochs = 40;
    job.training.stopping = EarlyStopping{.judged = {.metric = {}, .patience = 2, .least_improvement = 1000}};
    const Outcome stopped = outcome_of(job, parties, options);
    EXPECT_EQ(stopped.losses.size(), 3u) << "the first loss, and two that are no better by 1000";
    EXPECT_TRUE(outcome_of(job, parties, options).losses.empty()) << "the same plan stays stopped";
    job.training.stopping->judged.patience = 4;
    EXPECT_EQ(outcome_of(job, parties, options).losses.size(), 2u) << "two more that are no better";
    job.training.epochs = 41;  // the count begins again
    const Outcome more = outcome_of(job, parties, options);
    EXPECT_EQ(more.losses.size(), 3u);
    EXPECT_EQ(more.ranks[0].of_epoch, 0) << "the best model is still the first one";
    EXPECT_TRUE(outcome_of(job, parties, options).losses.empty());
    job.training.epochs = 30;
    EXPECT_TRUE(outcome_of(job, parties, options).losses.empty()) << "fewer epochs are no reason";
  }
}

TEST_F(TrainingRunWithCheckpoints, GoesOnFromTheLastModelAfterTheBestOneWasTheResult) {
  job_.training.epochs = 10;
  job_.training.stopping =
      EarlyStopping{.judged = {.metric = {}, .patience = 1000, .least_improvement = 10}, .keep_best = true};
  const Outcome first = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  EXPECT_EQ(first.ranks[0].of_epoch, 0);  // no loss was better by 10 than the first
  job_.training.epochs = 20;
  job_.training.stopping->keep_best = false;
  EXPECT_THROW(outcome_of(job_, 2, options(IfNone::kRefuse)), ConfigError) << "another job";
  job_.training.stopping->keep_best = true;
  const Outcome second = outcome_of(job_, 2, options(IfNone::kRefuse));
  ASSERT_EQ(std::ssize(second.losses), 10);
  EXPECT_LT(second.losses.front(), first.losses.front());
}

TEST_F(TrainingRunWithCheckpoints, DoesNotGoOnFromAnotherPlan) {
  Job first = job_;
  first.training.epochs = 10;
  outcome_of(first, 2, options(IfNone::kStartAfresh));
  job_.training.rate.initial = 0.02;
  EXPECT_THROW(outcome_of(job_, 2, options(IfNone::kRefuse)), ConfigError);
}

// A parameter's ring follows from the ranges of the session that kept it.
TEST_F(TrainingRunWithCheckpoints, GoesOnWithWiderRangesAsTheRangeWatchAdvises) {
  Job first = job_, wider = job_;
  first.training.epochs = 10;
  outcome_of(first, 2, options(IfNone::kStartAfresh));
  wider.training.ranges.activations *= 64;
  wider.training.ranges.gradients *= 64;
  EXPECT_EQ(std::ssize(outcome_of(wider, 2, options(IfNone::kRefuse)).losses), 20);
}

TEST_F(TrainingRunWithCheckpoints, PredictsWithWiderRanges) {
  const Outcome trained = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  job_.training.ranges.activations *= 64;
  const Outcome predicted = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
  EXPECT_EQ(predicted.ranks[0].model.at(0).values, trained.ranks[0].model.at(0).values);
}

// Predictions need the same layers and data, not the same training.
TEST_F(TrainingRunWithCheckpoints, PredictsWithAJobWhoseTrainingIsAnother) {
  const Outcome trained = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  job_.training.rate.initial = 0.5;
  job_.training.ranges.gradients = 64;
  job_.training.metrics.clear();
  const Outcome predicted = outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by);
  EXPECT_EQ(predicted.ranks[0].model.at(0).values, trained.ranks[0].model.at(0).values);
  for (const mpc::Reveal& reveal : predicted.ranks[0].reveals) {
    if (reveal.reason != "training loss") continue;
    EXPECT_EQ(reveal.count, 30) << "the account of the training goes on";
  }
  job_.data.features = FeatureScaling::kNone;
  EXPECT_THROW(outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by), ConfigError);
}

TEST_F(TrainingRunWithCheckpoints, RefusesToPredictWithoutAModel) {
  EXPECT_THROW(outcome_of(job_, 2, options(IfNone::kRefuse), predicted_by), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
