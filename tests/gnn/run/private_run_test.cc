// Whole private trainings on shares: the model equals a reference that clips the gradient of each record by itself, measured
// costs equal the plan's, and no message tells how many records a step takes.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>

#include "gnn/arithmetic/default_ranges.h"
#include "gnn/data/split.h"
#include "gnn/plan/plans.h"
#include "gnn/run/aggregate_run.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/job_refusal.h"
#include "tests/gnn/run/record_jobs.h"
#include "tests/mpc/recording_mesh.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

// On shares: features and weights are at most 1, so that the length of a gradient can be bounded.
Job shares_job(std::int64_t classes, Sampling sampling = Sampling::kOwners) {
  Job job = records_job(classes, 1);
  if (classes == 0) job.whole.targets = (*job.whole.targets * 0.25).cwiseMax(-1).cwiseMin(1);
  job.training.mode = TrainingMode::kShares;
  job.training.ranges.features = 1;
  job.training.ranges.weights = 1;
  job.training.ranges.activations = kDefaultRanges.activations;
  job.training.ranges.gradients = kDefaultRanges.gradients;
  job.training.ranges.weight_gradients = kDefaultRanges.weight_gradients;
  job.training.audit_every = 0;
  job.training.privacy->sampling = sampling;
  if (sampling == Sampling::kParties) job.data.ownership = ownership_of("columns", "none", "rank 0", "public");
  return job;
}

struct TrainedOnShares {
  std::vector<RunResult> ranks;       // the dealer last
  std::vector<net::Traffic> traffic;  // of the first epoch
};

TrainedOnShares trained_on_shares(const Job& job, int parties) {
  const auto ranks = static_cast<std::size_t>(parties) + 1;
  TrainedOnShares ended{std::vector<RunResult>(ranks), std::vector<net::Traffic>(ranks)};
  net::run_ranks(net::mesh_kind("Memory").make(parties, job.training.has_dealer() ? 1 : 0), [&](net::Mesh& mesh) {
    const auto rank = static_cast<std::size_t>(mesh.rank());
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    RunOptions options;
    options.on_epoch = [&](const EpochEvent& event) {
      if (event.epoch == 1) ended.traffic[rank] = *event.traffic;
      EXPECT_FALSE(event.loss.has_value());
    };
    ended.ranks[rank] = run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  return ended;
}

struct Case {
  int parties;
  std::int64_t classes;  // 0: targets
  Sampling sampling = Sampling::kOwners;
  NoiseFrom noise = NoiseFrom::kBoth;
  bool logit = false;
  Correlations correlations = Correlations::kDealer;

  Job job() const {
    Job made = shares_job(classes, sampling);
    made.training.privacy->noise_from = noise;
    made.training.correlations = correlations;
    if (logit) give_logit(made);
    return made;
  }
};

class PrivateRun : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    PartiesAndLabels, PrivateRun,
    testing::Values(Case{1, 3}, Case{2, 2}, Case{2, 0}, Case{3, 3}, Case{5, 0},
                    Case{3, 2, Sampling::kOwners, NoiseFrom::kParties}, Case{2, 2, Sampling::kParties},
                    Case{3, 0, Sampling::kParties}, Case{2, 3, Sampling::kParties, NoiseFrom::kDealt},
                    Case{2, 2, Sampling::kOwners, NoiseFrom::kBoth, true},
                    Case{3, 2, Sampling::kParties, NoiseFrom::kBoth, true},
                    Case{2, 2, Sampling::kOwners, NoiseFrom::kParties, true, Correlations::kPairwise},
                    Case{3, 0, Sampling::kParties, NoiseFrom::kParties, false, Correlations::kPairwise}));

TEST_P(PrivateRun, EndsWithTheModelOfAReferenceThatClipsEachRecord) {
  const Case& tested = GetParam();
  const Job job = tested.job();
  const std::vector<NamedMatrix> expected = reference_of(job),
                                 initial = initial_parameters(job.training.model, kRecordFeatures, 1);
  const TrainedOnShares ended = trained_on_shares(job, tested.parties);
  // Noise of at most sqrt(5)·0.05·0.5 in each sum of 54 records, in six steps of rate 0.5.
  const double deviation = 0.05 * 0.5 * std::sqrt(5.0) * std::sqrt(6.0) * 0.5 / 54;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Matrix& seen = ended.ranks[0].model.at(i).values;
    EXPECT_LT((seen - expected[i].values).cwiseAbs().maxCoeff(), 8 * deviation + 0.01) << expected[i].name;
  }
  EXPECT_GT((ended.ranks[0].model[0].values - initial[0].values).cwiseAbs().maxCoeff(), 0.03);  // it has moved
  EXPECT_EQ(ended.ranks[0].readings.size(), 2);
}

TEST_P(PrivateRun, CostsWhatThePlanSays) {
  const Case& tested = GetParam();
  if (kSlowdown > 1 && tested.correlations != Correlations::kDealer) GTEST_SKIP() << "numbers alone, in a minute";
  Job job = tested.job();
  job.training.batch = 10;  // several steps in an epoch
  job.training.epochs = 3;
  const TrainedOnShares ended = trained_on_shares(job, tested.parties);
  std::vector<GraphData> parts;
  for (int rank = 0; rank < tested.parties; ++rank) {
    parts.push_back(part_of(job.whole, job.data.ownership, rank, tested.parties));
  }
  const DataAgreement agreement = agreement_of(job.data, job.training, parts);
  for (int rank = 0; rank < tested.parties; ++rank) {
    const PlannedRun planned = planned_run(job.data, job.training, agreement,
                                           {tested.parties, rank, net::AllReducePlan::unmeasured(tested.parties)});
    const RunResult& measured = ended.ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(planned.total.cost, measured.cost) << rank;
    EXPECT_EQ(planned.batches, 5);
    ASSERT_EQ(planned.reveals.size(), measured.reveals.size());
    for (std::size_t i = 0; i < planned.reveals.size(); ++i) {
      EXPECT_EQ(planned.reveals[i].reason, measured.reveals[i].reason);
      EXPECT_EQ(planned.reveals[i].elements, measured.reveals[i].elements);
    }
    if (job.training.is_pairwise()) continue;  // a maker works ahead, so its messages belong to no epoch
    std::int64_t sent = 0;
    for (int peer = 0; peer < tested.parties; ++peer) {
      sent += ended.traffic[static_cast<std::size_t>(rank)].peers[static_cast<std::size_t>(peer)].payload_sent;
    }
    EXPECT_EQ(planned.epochs[0].cost.bytes, sent) << rank;
  }
}

// The weights after one step, less the reference's weights, in units of the noise's share of the step, have the variance that
// the adversaries' table states for outsiders.
TEST(PrivateTraining, HasTheStatedNoiseOnEveryWeight) {
  struct Stated {
    int parties;
    NoiseFrom from;
    double variance;
  };
  for (const Stated& stated : {Stated{2, NoiseFrom::kDealt, 1},
                               {2, NoiseFrom::kBoth, 1.5},
                               {3, NoiseFrom::kBoth, 5.0 / 3},
                               {3, NoiseFrom::kParties, 3}}) {
    Job job = shares_job(2);
    for (LayerSpec& layer : job.training.model.layers) layer.outputs = layer.outputs == 6 ? 400 : layer.outputs;
    job.training.epochs = 1;
    job.training.rate.initial = 0.5;
    job.training.privacy->noise = 1;
    job.training.privacy->clip = 0.25;
    job.training.privacy->noise_from = stated.from;
    const std::vector<NamedMatrix> expected = reference_of(job);
    const TrainedOnShares ended = trained_on_shares(job, stated.parties);
    double squares = 0, count = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      squares += (ended.ranks[0].model.at(i).values - expected[i].values).squaredNorm();
      count += static_cast<double>(expected[i].values.size());
    }
    const double unit = 0.5 * 0.25 / 54;  // rate·clip over the expected records
    EXPECT_NEAR(squares / count / (unit * unit), stated.variance, (7 * std::sqrt(2 / count) + 0.02) * stated.variance);
  }
}

TEST(PrivateTraining, WithoutADealerCountsNoDealerAndTakesNoiseFromTheParties) {
  Job job = shares_job(2);
  job.training.privacy->noise_from = NoiseFrom::kParties;
  const auto observers = [](const Job& its) {
    std::vector<Observer> all;
    for (const Adversary& one : record_privacy(its.training, {27, 27}, 2).account(1).adversaries) {
      all.push_back(one.observer);
    }
    return all;
  };
  EXPECT_EQ(observers(job), (std::vector{Observer::kOutsiders, Observer::kDealer, Observer::kParties}));
  job.training.correlations = Correlations::kPairwise;
  EXPECT_EQ(observers(job), (std::vector{Observer::kOutsiders, Observer::kParties}));
  for (const NoiseFrom from : {NoiseFrom::kBoth, NoiseFrom::kDealt}) {
    expect_refused(job, {"noise", [from](Job& its) { its.training.privacy->noise_from = from; }, "privacy.noise_from"});
  }
}

TEST(PrivateTraining, DrawsRecordsAtTheirRateAndCountsNoEmptyRow) {
  for (const Sampling sampling : {Sampling::kOwners, Sampling::kParties}) {
    for (const int parties : {2, 3}) {
      Job job = shares_job(2, sampling);
      make_records_equal(job);
      expect_movement_of_reference(job, trained_on_shares(job, parties).ranks[0].model);
    }
  }
}

// Weights stay in their range with any noise; the bound on a record depends on it.
TEST(PrivateTraining, KeepsWeightsInTheirRange) {
  for (const OptimiserOptions& optimiser : {OptimiserOptions(SgdOptions{0.9, 0.01}), OptimiserOptions(AdamOptions{})}) {
    Job job = shares_job(3);
    job.training.optimiser = optimiser;
    job.training.rate.initial = 1;
    job.training.privacy->noise = 60;
    job.training.epochs = 5;
    const TrainedOnShares ended = trained_on_shares(job, 2);
    double largest = 0;
    for (const NamedMatrix& one : ended.ranks[0].model) largest = std::max(largest, one.values.cwiseAbs().maxCoeff());
    EXPECT_LE(largest, 1);
    EXPECT_GT(largest, 0.99);  // it was at the edge
  }
}

using Lengths = std::map<std::pair<int, int>, std::vector<std::size_t>>;

// The lengths of all messages of a training, by link.
Lengths message_lengths(const Job& job) {
  const int parties = 2;
  net::Record record;
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(parties, 1), record), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    run_training(mesh, job.data, job.training, own ? &*own : nullptr);
  });
  Lengths all;
  for (const net::SentMessage& message : record.messages()) {
    all[{message.from, message.to}].push_back(message.bytes.size());
  }
  return all;
}

TEST(PrivateTraining, SendsMessagesWhoseLengthsTellNeitherRecordsNorDraws) {
  for (const Sampling sampling : {Sampling::kOwners, Sampling::kParties}) {
    Job job = shares_job(3, sampling);
    job.training.batch = 9;
    job.training.epochs = 2;
    const Lengths first = message_lengths(job);
    *job.whole.x *= -0.5;
    std::reverse(job.whole.classes->begin(), job.whole.classes->end());
    EXPECT_EQ(first, message_lengths(job));
  }
}

// A step draws no record, or all records.
TEST(PrivateTraining, TakesStepsWithoutRecordsAndAPartyWithoutAny) {
  Job job = shares_job(2);
  for (std::size_t row = 0; row < kRecordRows / 2; ++row) (*job.whole.train_mask)[row] = false;  // all of rank 0
  for (std::size_t row = kRecordRows / 2 + 5; row < kRecordRows; ++row) (*job.whole.train_mask)[row] = false;
  job.training.batch = 1;
  job.training.privacy->delta = 0.1;
  const TrainedOnShares ended = trained_on_shares(job, 2);
  EXPECT_TRUE(ended.ranks[1].model.at(0).values.allFinite());
}

// The job gives all rows to the other party.
TEST(PrivateTraining, TakesAPartyWithoutRows) {
  Job job = shares_job(2);
  job.data.ownership = ownership_of("rows 0,90", "none", "rows 0,90", "rows 0,90");
  EXPECT_TRUE(trained_on_shares(job, 2).ranks[1].model.at(0).values.allFinite());
}

// Sessions of one job, with checkpoints in one folder.
class InterruptedPrivateTraining : public testing::Test {
 protected:
  static constexpr std::int64_t kSteps = 5;  // in an epoch

  InterruptedPrivateTraining() {
    job_.training.batch = 10;
    job_.training.evaluate_every = 1;
    job_.training.privacy->noise = 1;
  }

  // Rank 0 fails after the epoch `killed`, or not at all if it is 0.
  std::vector<RunResult> session(std::int64_t killed) {
    std::vector<RunResult> ranks(3);
    notes_.clear();
    const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
      const int rank = mesh.rank();
      std::optional<GraphData> own;
      if (mesh.world().is_party()) own = part_of(job_.whole, job_.data.ownership, rank, 2);
      RunOptions options;
      options.checkpoints = folder_.options(rank);
      if (rank == 0) {
        options.on_note = [&](const std::string& note) { notes_.push_back(note); };
        options.on_epoch = [&](const EpochEvent& event) {
          if (event.epoch == killed) throw ConfigError("killed");
        };
      }
      ranks[static_cast<std::size_t>(rank)] =
          run_training(mesh, job_.data, job_.training, own ? &*own : nullptr, options);
    });
    for (const auto& error : errors) EXPECT_EQ(killed == 0, net::message_of(error).empty());
    return ranks;
  }

  SampleFolder folder_;
  Job job_ = shares_job(2);
  std::vector<std::string> notes_;  // at rank 0
};

// The first session revealed metrics of five epochs, and the second one goes on after the fourth.
TEST_F(InterruptedPrivateTraining, CountsRepeatedStepsTwice) {
  job_.training.checkpoint_every = 4;
  session(5);
  const std::vector<RunResult> later = session(0);
  EXPECT_THAT(notes_, testing::ElementsAre(testing::HasSubstr("epsilon counts 5 steps twice")));
  for (const int party : {0, 1}) {
    ASSERT_TRUE(later[static_cast<std::size_t>(party)].spent);
    EXPECT_EQ(later[static_cast<std::size_t>(party)].spent->steps, 7 * kSteps);
  }
  EXPECT_FALSE(later[2].spent) << "the dealer has no count of earlier sessions";
  // Telling the results again repeats no step.
  EXPECT_EQ(session(0)[0].spent->steps, 7 * kSteps);
}

TEST_F(InterruptedPrivateTraining, CountsTheStepsOfASessionWithoutACheckpoint) {
  job_.training.checkpoint_every = 100;
  session(2);
  session(3);
  EXPECT_EQ(session(0)[1].spent->steps, (2 + 3 + 6) * kSteps);
}

TEST_F(InterruptedPrivateTraining, CountsNoStepWhoseResultWasNotRevealed) {
  job_.training.checkpoint_every = 4;
  job_.training.evaluate_every = 0;
  session(5);
  EXPECT_FALSE(session(0)[0].spent);
  EXPECT_THAT(notes_, testing::IsEmpty());
}

// The metrics of the test records are revealed exactly.
TEST(PrivateTraining, RefusesATestRecordThatIsTrainedOn) {
  for (const bool test : {true, false}) {
    Job job = shares_job(2);
    (test ? *job.whole.test_mask : *job.whole.val_mask)[1] = true;
    for (const std::exception_ptr& error : errors_before_sharing(job)) {
      EXPECT_THAT(net::message_of(error), testing::HasSubstr("in train_mask"));
    }
  }
}

// A limit of a file's size stands for a full disk. The error is the ledger's, and no later one hides it.
TEST(PrivateTraining, EndsWithTheReasonIfItsLedgerCannotBeWritten) {
  const SampleFolder folder;
  const Job job = shares_job(2);
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    RunOptions options;
    const std::filesystem::path ledger = folder.path("ledger" + std::to_string(mesh.rank()));
    if (mesh.world().is_party()) {
      own = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
      options.ledger = {ledger, "a rank", {}, {}};
    }
    if (mesh.rank() == 0) {
      options.on_phase = [&](std::string_view phase) {
        if (phase != "training") return;
        rlimit full = before;
        full.rlim_cur = std::filesystem::file_size(ledger);
        ::setrlimit(RLIMIT_FSIZE, &full);
      };
    }
    run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, signal_before);
  for (const auto& error : errors) EXPECT_THAT(net::message_of(error), testing::HasSubstr("cannot be written"));
}

TEST(PrivateTraining, SaysThatItsLedgerIsNew) {
  const SampleFolder folder;
  const Job job = shares_job(2);
  const auto notes_of_run = [&] {
    std::vector<std::string> notes;
    net::run_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
      std::optional<GraphData> own;
      RunOptions options;
      if (mesh.world().is_party()) {
        own = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
        options.ledger = {folder.path("ledger" + std::to_string(mesh.rank())), "a rank", {}, {}};
      }
      if (mesh.rank() == 1) options.on_note = [&](const std::string& note) { notes.push_back(note); };
      run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
    });
    return notes;
  };
  EXPECT_THAT(notes_of_run(), testing::ElementsAre(testing::HasSubstr("ledger1 is new: it has no budget")));
  EXPECT_THAT(notes_of_run(), testing::IsEmpty());
}

TEST(PrivateTraining, CountsAllStepsOfSeveralSessionsAgainstPartiesThatSeeTheSamples) {
  const Job job = shares_job(2, Sampling::kParties);
  const TrainingPrivacy privacy = record_privacy(job.training, {54}, 2);
  const auto epsilon = [](const PrivacyPlan& account) {
    const Mechanism steps = mechanism_of(account, account.adversaries.back(), account.steps);
    return epsilon_of(std::span(&steps, 1), 1e-5).told();
  };
  EXPECT_EQ(epsilon(privacy.account_of_steps(200 * privacy.steps)), epsilon(privacy.account(200)));
  EXPECT_GT(epsilon(privacy.account_of_steps(201 * privacy.steps)), epsilon(privacy.account(200)));
  for (const Adversary& one : privacy.account(200).adversaries) {
    EXPECT_EQ(one.sample_seen, one.observer == Observer::kParties) << describe(one);
    EXPECT_EQ(one.rate, privacy.rate);
  }
}

TEST(PrivateTraining, ListsTheAdversariesOfItsSampling) {
  Job job = shares_job(2);
  job.training.batch = 9;
  job.training.epochs = 5;
  job.training.privacy->noise = std::nullopt;
  job.training.privacy->epsilon = 2;
  const auto told = [&](const TrainingPrivacy& privacy) {
    std::map<Observer, double> epsilons;
    const PrivacyPlan account = privacy.account(5);
    for (const Adversary& one : account.adversaries) {
      epsilons[one.observer] = epsilon_of(std::vector{mechanism_of(account, one, account.steps)}, 1e-3).told();
    }
    return epsilons;
  };
  std::map<Observer, double> owners = told(record_privacy(job.training, {30, 24}, 2));
  EXPECT_LE(owners[Observer::kParties], 2);
  EXPECT_GT(owners[Observer::kParties], 1.95);
  EXPECT_EQ(owners[Observer::kDealer], owners[Observer::kParties]);
  EXPECT_LT(owners[Observer::kOutsiders], owners[Observer::kParties]);
  job.training.privacy->sampling = Sampling::kParties;
  const TrainingPrivacy together = record_privacy(job.training, {54}, 2);
  std::map<Observer, double> parties = told(together);
  EXPECT_LE(parties[Observer::kParties], 2);
  EXPECT_GT(parties[Observer::kParties], 1.9);
  EXPECT_LT(parties[Observer::kDealer], 0.8 * parties[Observer::kParties]);  // it does not know the batches
  EXPECT_GT(together.noise, record_privacy(shares_job(2).training, {30, 24}, 2).noise);
}

class PrivateRunRefuses : public testing::TestWithParam<JobRefusal> {};

INSTANTIATE_TEST_SUITE_P(
    Settings, PrivateRunRefuses,
    testing::Values(
        JobRefusal{"Loss", [](Job& job) { job.training.loss_to = mpc::To::everyone(); }, "reveal.loss"},
        JobRefusal{"TrainMetric", [](Job& job) { job.training.metrics[0].part = Part::kTrain; },
                   "reveal.metric[0].part"},
        JobRefusal{"Audit", [](Job& job) { job.training.audit_every = 1; }, "audit.every"},
        JobRefusal{"Predictions", [](Job& job) { job.training.predictions_to = mpc::To::rank(0); },
                   "reveal.predictions"},
        JobRefusal{"Standardise", [](Job& job) { job.data.features = FeatureScaling::kStandardise; },
                   "preprocessing.features"},
        JobRefusal{"Whole", [](Job& job) { job.data.features = FeatureScaling::kWhole; }, "preprocessing.features"},
        JobRefusal{"Columns",
                   [](Job& job) { job.data.ownership = ownership_of("columns", "none", "rank 0", "public"); },
                   "data.features"},
        JobRefusal{"SecretMasksOfAll", [](Job& job) { job.training.privacy->sampling = Sampling::kParties; },
                   "data.masks"},
        JobRefusal{"Ring",
                   [](Job& job) {
                     job.training.top = {56, 13};
                   },
                   "ring.bits"},
        JobRefusal{"Dropout",
                   [](Job& job) {
                     LayerSpec dropout{LayerSpec::Kind::kDropout};
                     dropout.rate = 0.5;
                     job.training.model.layers.insert(job.training.model.layers.begin() + 1, dropout);
                   },
                   "model.layers"}),
    kNameOfRefusal);

TEST_P(PrivateRunRefuses, WithTheSettingsPath) { expect_refused(shares_job(2), GetParam()); }

class PrivateRunProves : public testing::TestWithParam<JobRefusal> {};

INSTANTIATE_TEST_SUITE_P(
    Ranges, PrivateRunProves,
    testing::Values(
        JobRefusal{"NarrowActivations", [](Job& job) { job.training.ranges.activations = 3; }, "ranges.activations"},
        JobRefusal{"NarrowGradients", [](Job& job) { job.training.ranges.gradients = 1; }, "ranges.gradients"},
        JobRefusal{"LongGradients",
                   [](Job& job) { job.training.privacy->clip = 0.01, job.training.ranges.weights = 60; },
                   "privacy.clip"},
        JobRefusal{"HugeClip", [](Job& job) { job.training.privacy->clip = 256; }, "privacy.clip"},
        JobRefusal{"WideWeights", [](Job& job) { job.training.ranges.weights = 1e5; }, "ranges.weights"},
        JobRefusal{"InitialWeights", [](Job& job) { job.training.ranges.weights = 0.1; }, "ranges.weights"},
        JobRefusal{"Momentum",
                   [](Job& job) {
                     job.training.optimiser = SgdOptions{0.9999, 0}, job.training.ranges.weight_gradients = 511;
                   },
                   "training.optimiser"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(PrivateRunProves, TheRangesOfEveryRecordOrRefuses) {
  Job job = shares_job(2);
  const TrainingPrivacy privacy = record_privacy(job.training, {30, 24}, 2);
  EXPECT_NO_THROW(PrivateGradients(job.training, privacy, {kRecordFeatures, 2}));
  GetParam().change(job);
  expect_setting_error([&] { PrivateGradients(job.training, privacy, {kRecordFeatures, 2}); }, GetParam().path);
}

// A feature beyond its range would make the bound wrong, so its owner refuses it, and says so to all.
TEST(PrivateTraining, RefusesAFeatureBeyondItsRange) {
  for (const Sampling sampling : {Sampling::kOwners, Sampling::kParties}) {
    Job job = shares_job(2, sampling);
    (*job.whole.x)(3, 1) = 1.5;
    try {
      trained_on_shares(job, 2);
      FAIL() << "it was not refused";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("beyond ranges.features, 1"));
    }
  }
}

}  // namespace
}  // namespace tacit::gnn
