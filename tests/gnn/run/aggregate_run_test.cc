// Whole trainings in the mode "aggregate": every rank ends with the same model, it is the model of a reference that clips the
// gradient of each record by itself, and measured costs equal the plan's.
#include "gnn/run/aggregate_run.h"

#include <gmock/gmock.h>

#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/plain/plain_metric.h"
#include "gnn/plan/plans.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/job_refusal.h"
#include "tests/gnn/run/record_jobs.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

struct Ended {
  std::vector<RunResult> ranks;
  std::vector<net::Traffic> traffic;  // of all epochs
};

Ended ended_of(const Job& job, int parties, int threads = 1) {
  Ended ended{std::vector<RunResult>(static_cast<std::size_t>(parties)),
              std::vector<net::Traffic>(static_cast<std::size_t>(parties))};
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    const auto rank = static_cast<std::size_t>(mesh.rank());
    const GraphData own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    RunOptions options;
    options.threads = threads;
    options.on_epoch = [&](const EpochEvent& event) {
      ended.traffic[rank] = rank == 0 && event.epoch == 1 ? *event.traffic : ended.traffic[rank];
      EXPECT_FALSE(event.loss.has_value());
    };
    ended.ranks[rank] = run_training(mesh, job.data, job.training, &own, options);
  });
  return ended;
}

using AggregateCase = std::tuple<int, std::int64_t, std::optional<std::int64_t>>;  // parties, classes, colluding

class AggregateRun : public testing::TestWithParam<AggregateCase> {};

INSTANTIATE_TEST_SUITE_P(PartiesAndLabels, AggregateRun,
                         testing::Values(AggregateCase{1, 3, {}}, AggregateCase{2, 2, {}}, AggregateCase{2, 0, {}},
                                         AggregateCase{3, 3, {}}, AggregateCase{3, 3, 0}, AggregateCase{5, 0, 2}));

TEST_P(AggregateRun, EndsWithTheModelOfAReferenceThatClipsEachRecord) {
  const auto [parties, classes, colluding] = GetParam();
  Job job = records_job(classes);
  job.training.privacy->colluding = colluding;
  const std::vector<NamedMatrix> expected = reference_of(job),
                                 initial = initial_parameters(job.training.model, kRecordFeatures, 1);
  const Ended ended = ended_of(job, parties);
  // Noise of at most sqrt(n / (n - t)) * 0.05 * 0.5 in each sum of 54 records, in six steps of rate 0.5.
  const double deviation = 0.05 * 0.5 * std::sqrt(5.0) * std::sqrt(6.0) * 0.5 / 54;
  for (const RunResult& rank : ended.ranks) {
    ASSERT_EQ(rank.model.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(rank.model[i].values, ended.ranks[0].model[i].values) << expected[i].name;
      EXPECT_LT((rank.model[i].values - expected[i].values).cwiseAbs().maxCoeff(), 8 * deviation) << expected[i].name;
    }
    EXPECT_GT((rank.model[0].values - initial[0].values).cwiseAbs().maxCoeff(), 0.05);  // it has moved
    ASSERT_EQ(rank.readings.size(), 2);
    EXPECT_EQ(rank.readings[0].value, ended.ranks[0].readings[0].value);
    EXPECT_EQ(rank.epochs, 6);
  }
}

TEST_P(AggregateRun, CostsWhatThePlanSays) {
  const auto [parties, classes, colluding] = GetParam();
  Job job = records_job(classes);
  job.training.privacy->colluding = colluding;
  job.training.batch = 10;  // several steps in an epoch
  const Ended ended = ended_of(job, parties);
  std::vector<GraphData> parts;
  for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
  const DataAgreement agreement = agreement_of(job.data, job.training, parts);
  for (int rank = 0; rank < parties; ++rank) {
    const PlannedRun planned =
        planned_run(job.data, job.training, agreement, {parties, rank, net::AllReducePlan::unmeasured(parties)});
    const RunResult& measured = ended.ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(planned.total.cost, measured.cost) << rank;
    EXPECT_EQ(planned.batches, 5);
    ASSERT_EQ(planned.reveals.size(), measured.reveals.size());
    for (std::size_t i = 0; i < planned.reveals.size(); ++i) {
      EXPECT_EQ(planned.reveals[i].reason, measured.reveals[i].reason);
      EXPECT_EQ(planned.reveals[i].elements, measured.reveals[i].elements);
    }
    EXPECT_EQ(measured.reveals[0].count, 30);
    if (rank == 0 && parties > 1) {
      EXPECT_EQ(planned.epochs[0].cost.bytes, ended.traffic[0].total().payload_sent);
    }
  }
}

TEST(AggregateTraining, GivesTheSameStepsToAnyNumberOfThreads) {
  Job job = records_job(3);
  job.training.privacy->noise = 0.05;
  const std::vector<NamedMatrix> expected = reference_of(job);
  const Ended ended = ended_of(job, 2, 3);
  EXPECT_LT((ended.ranks[0].model[0].values - expected[0].values).cwiseAbs().maxCoeff(), 0.02);
}

// Layouts of parties x threads. Threads of one party add in the clear and have no noise of their own, so the noise depends on
// the number of parties alone. Four parties have 22 or 23 rows each.
TEST(AggregateTraining, HasOneNoiseForEachPartyWhateverItsThreads) {
  Job job = records_job(2);
  job.training.privacy->noise = 20;
  job.training.epochs = 1;
  const std::vector<NamedMatrix> expected = reference_of(job);
  const double unit =
      job.training.rate.initial * 20 * job.training.privacy->clip / 54;  // one party's noise in a weight
  for (const auto& [parties, threads] : {std::pair{1, 1}, {1, 4}, {2, 2}, {4, 1}, {3, 3}}) {
    double squares = 0, count = 0;
    for (int run = 0; run < 30; ++run) {
      const std::vector<NamedMatrix> model = ended_of(job, parties, threads).ranks[0].model;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        squares += (model[i].values - expected[i].values).squaredNorm() / (unit * unit);
        count += static_cast<double>(expected[i].values.size());
      }
    }
    EXPECT_NEAR(squares / count / parties, 1, 6 * std::sqrt(2 / count)) << parties << " x " << threads;
  }
}

// A party without records to train on adds nothing but noise.
TEST(AggregateTraining, TakesAPartyWithoutTrainingRecords) {
  Job job = records_job(2);
  for (std::size_t row = 0; row < kRecordRows / 2; ++row) (*job.whole.train_mask)[row] = false;
  const Ended ended = ended_of(job, 2);
  const std::vector<NamedMatrix> expected = reference_of(job);
  EXPECT_LT((ended.ranks[1].model[0].values - expected[0].values).cwiseAbs().maxCoeff(), 0.03);
}

// The job gives all rows to the other party.
TEST(AggregateTraining, TakesAPartyWithoutRows) {
  Job job = records_job(2);
  job.data.ownership = ownership_of("rows 0,90", "none", "rows 0,90", "rows 0,90");
  const Ended ended = ended_of(job, 2);
  const std::vector<NamedMatrix> expected = reference_of(job);
  EXPECT_LT((ended.ranks[0].model[0].values - expected[0].values).cwiseAbs().maxCoeff(), 0.03);
}

TEST(AggregateTraining, RevealsTheMetricsOfItsModel) {
  for (const std::int64_t classes : {3, 0}) {
    const Job job = records_job(classes);
    const Ended ended = ended_of(job, 3);
    const DenseGradients gradients(job.training.model, kRecordFeatures, job.training.objective, 1, 1);
    const Matrix z = gradients.outputs(*job.whole.x, ended.ranks[0].model);
    const Matrix y = classes > 0 ? one_hot(*job.whole.classes, classes) : *job.whole.targets;
    for (std::size_t i = 0; i < 2; ++i) {
      const Revealed& what = job.training.metrics[i];
      const double expected =
          plain_metric(what, z, y, rows_of(job.whole, what.part), {{}, job.training.objective, {}}).value;
      EXPECT_NEAR(ended.ranks[2].readings[i].value, expected, 1e-5) << name_of(what);
    }
  }
}

// Squared errors of 18 rows add up to 2^38.
TEST(AggregateTraining, RevealsTheMetricsOfLargeTargets) {
  Job job = records_job(0);
  *job.whole.targets *= 1e5;
  job.training.ranges.features = 1 << 20;
  job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest}, {Metric::kMeanAbsoluteError, Part::kTest}};
  const Ended ended = ended_of(job, 2);
  const DenseGradients gradients(job.training.model, kRecordFeatures, job.training.objective, 1, 1);
  const Matrix z = gradients.outputs(*job.whole.x, ended.ranks[0].model);
  for (std::size_t i = 0; i < 2; ++i) {
    const Revealed& what = job.training.metrics[i];
    const Rows rows = rows_of(job.whole, what.part);
    const double expected = plain_metric(what, z, *job.whole.targets, rows, {{}, job.training.objective, {}}).value;
    EXPECT_NEAR(ended.ranks[1].readings[i].value, expected, 1e-6 * expected) << name_of(what);
  }
  job.training.ranges.features = 4095;  // the errors are far beyond it, as of a model that diverged
  EXPECT_THAT(refusal([&] { ended_of(job, 1); }),
              testing::HasSubstr("training diverged: the test rmse of this party's rows"));
}

TEST(AggregateTraining, DrawsRecordsAtTheirRate) {
  for (const int parties : {1, 3}) {
    Job job = records_job(2);
    make_records_equal(job);
    expect_movement_of_reference(job, ended_of(job, parties).ranks[0].model);
  }
}

// The noise of every run is new, and neither the job nor its seed determines it.
TEST(AggregateTraining, HasOtherNoiseInEveryRun) {
  Job job = records_job(2);
  job.training.privacy->noise = 2;
  EXPECT_NE(ended_of(job, 2).ranks[0].model[0].values, ended_of(job, 2).ranks[0].model[0].values);
}

TEST(AggregateTraining, HasTheNoiseThatItsEpsilonNeeds) {
  Job job = records_job(2);
  job.training.privacy->noise = std::nullopt;
  job.training.privacy->epsilon = 2.0;
  const TrainingPrivacy privacy = record_privacy(job.training, {30, 24}, 2);
  const PrivacyPlan account = privacy.account(job.training.epochs);
  ASSERT_EQ(account.adversaries.size(), 2);
  const auto told_to = [&](const Adversary& one) {
    return epsilon_of(std::vector{mechanism_of(account, one, account.steps)}, 1e-3).told();
  };
  const double outsiders = told_to(account.adversaries[0]), other_party = told_to(account.adversaries[1]);
  EXPECT_LE(other_party, 2);
  EXPECT_GT(other_party, 1.95);
  EXPECT_LT(outsiders, other_party);  // two parties' noise
}

TEST(AggregateTraining, CutsADrawOnlyWhereItHardlyEverHappens) {
  Job job = records_job(2);
  job.training.batch = 256;
  job.training.privacy->delta = 1e-7;
  const TrainingPrivacy privacy = record_privacy(job.training, {500'000, 480'000}, 2);
  EXPECT_EQ(privacy.steps, 3828);
  EXPECT_GT(privacy.most_drawn[0], 131 + 7 * 11);  // seven standard deviations
  EXPECT_LT(privacy.most(), 460);
}

class AggregateRefuses : public testing::TestWithParam<JobRefusal> {};

INSTANTIATE_TEST_SUITE_P(
    Settings, AggregateRefuses,
    testing::Values(
        JobRefusal{"Loss", [](Job& job) { job.training.loss_to = mpc::To::everyone(); }, "reveal.loss"},
        JobRefusal{"TrainMetric", [](Job& job) { job.training.metrics[0].part = Part::kTrain; },
                   "reveal.metric[0].part"},
        JobRefusal{"Ranking", [](Job& job) { job.training.metrics[0].metric = Metric::kRecall; },
                   "reveal.metric[0].what"},
        JobRefusal{"Standardise", [](Job& job) { job.data.features = FeatureScaling::kStandardise; },
                   "preprocessing.features"},
        JobRefusal{"Weights", [](Job& job) { job.training.class_weights.balanced = true; }, "training.class_weights"},
        JobRefusal{"ElementClip", [](Job& job) { job.training.clip = 1; }, "training.clip"},
        JobRefusal{"Predictions", [](Job& job) { job.training.predictions_to = mpc::To::rank(0); },
                   "reveal.predictions"},
        JobRefusal{"ModelToOne", [](Job& job) { job.training.model_to = mpc::To::rank(0); }, "reveal.model"},
        JobRefusal{"NoPrivacy", [](Job& job) { job.training.privacy.reset(); }, "training.mode"},
        JobRefusal{"NoNoise", [](Job& job) { job.training.privacy->noise.reset(); }, "privacy.epsilon"},
        JobRefusal{"Columns",
                   [](Job& job) { job.data.ownership.features = parse_ownership("columns", GraphPart::kFeatures); },
                   "data.features"},
        JobRefusal{"Gcn",
                   [](Job& job) {
                     job.data.ownership.edges = parse_ownership("public", GraphPart::kEdges);
                     job.training.model = ModelSpec::gcn(4, 2);
                   },
                   "data.edges"},
        JobRefusal{"Dropout",
                   [](Job& job) {
                     LayerSpec dropout{LayerSpec::Kind::kDropout};
                     dropout.rate = 0.5;
                     job.training.model.layers.insert(job.training.model.layers.begin() + 1, dropout);
                   },
                   "model.layers"},
        JobRefusal{"StoppingByTheLoss", [](Job& job) { job.training.stopping.emplace(); }, "training.stopping.metric"},
        JobRefusal{"PlateauOfTrainRecords",
                   [](Job& job) {
                     job.training.plateau.emplace().judged = {.metric = Metric::kAccuracy, .part = Part::kTrain};
                   },
                   "training.plateau.part"}),
    kNameOfRefusal);

TEST_P(AggregateRefuses, WithTheSettingsPath) { expect_refused(records_job(2), GetParam()); }

struct Contradiction {
  const char* name;
  std::function<void(TrainingPlan&)> change;
  const char* path;
  const char* says;
};

class PrivacyRefuses : public testing::TestWithParam<Contradiction> {};

INSTANTIATE_TEST_SUITE_P(
    Numbers, PrivacyRefuses,
    testing::Values(Contradiction{"EpsilonAndNoise",
                                  [](TrainingPlan& plan) { plan.privacy->epsilon = 0.1, plan.privacy->noise = 1; },
                                  "privacy.noise", "take noise = "},
                    Contradiction{"LargeDelta", [](TrainingPlan& plan) { plan.privacy->delta = 0.02; }, "privacy.delta",
                                  "less than 1 / records"},
                    Contradiction{"AllPool", [](TrainingPlan& plan) { plan.privacy->colluding = 2; },
                                  "privacy.colluding", "2 of 2"},
                    Contradiction{"LargeBatch", [](TrainingPlan& plan) { plan.batch = 55; }, "training.batch",
                                  "55 of 54"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(PrivacyRefuses, WithASentence) {
  Job job = records_job(2);
  GetParam().change(job.training);
  try {
    record_privacy(job.training, {30, 24}, 2);
    FAIL() << "it was not refused";
  } catch (const SettingError& error) {
    EXPECT_EQ(error.path(), GetParam().path);
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().says));
  }
}

}  // namespace
}  // namespace tacit::gnn
