// A rank's whole part in a training: for every ownership of the data, the revealed results equal
// the results of a twin (plaintext reference) with all data.
#include "gnn/run/prediction_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/train/range_left.h"
#include "gnn/train/target_scale.h"
#include "mpc/functions/known_answer.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/mpc/other_streams_mesh.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

struct Outcome {
  std::vector<double> losses;   // at rank 0
  std::vector<double> seconds;  // for all epochs together, at each rank
  std::vector<RunResult> ranks;
};

using OptionsOf = std::function<RunOptions(int rank)>;
using RunOf = RunResult (*)(net::Mesh&, const DataPlan&, const TrainingPlan&, const GraphData*, const RunOptions&);

RunResult predicted_by(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                       const RunOptions& options) {
  PredictionOptions same;
  static_cast<RunOptions&>(same) = options;
  return run_prediction(mesh, data, training, own, same);
}

Outcome outcome_of(const Job& job, int parties, const OptionsOf& options_of = {}, RunOf run = run_training) {
  Outcome outcome;
  outcome.ranks.resize(static_cast<std::size_t>(parties) + 1);
  outcome.seconds.resize(outcome.ranks.size());
  net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    RunOptions options = options_of ? options_of(mesh.rank()) : RunOptions{};
    options.on_epoch = [&](const EpochEvent& event) {
      outcome.seconds[static_cast<std::size_t>(mesh.rank())] += event.usage.seconds;
      if (mesh.rank() != 0) return;
      if (event.loss) outcome.losses.push_back(*event.loss);
      std::int64_t sent = 0;  // to parties
      for (int rank = 0; rank < parties; ++rank)
        sent += event.traffic->peers[static_cast<std::size_t>(rank)].payload_sent;
      EXPECT_EQ(sent, event.cost.bytes) << "epoch " << event.epoch;
    };
    outcome.ranks[static_cast<std::size_t>(mesh.rank())] =
        run(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  return outcome;
}

// The results of a holder of all data.
struct Twin {
  std::vector<double> losses;
  std::vector<NamedMatrix> model;
  double reading = 0;
  Matrix predictions;  // in the targets' own unit, or classes
  Matrix logits;       // of classes
};

Twin twin_of(const Job& job) {
  const GraphData& whole = job.whole;
  const bool classes = job.data.classes > 0;
  const Matrix x = whole.sparse_x ? whole.sparse_x->dense() : *whole.x;
  PlainData data{classes ? with_rows_of_sum_1(x) : standardised(x),
                 classes ? one_hot(*whole.classes, job.data.classes)
                         : standardised(*whole.targets, targets_of_scale(job.data, whole)),
                 whole.edges.value_or(Edges()),
                 rows_where(whole.train_mask),
                 rows_where(whole.val_mask),
                 rows_where(whole.test_mask),
                 job.data.private_graph() || job.data.private_masks(),
                 {},
                 whole.graphs};
  PlainTrainer trainer(job.training, data);
  Twin twin;
  trainer.run([&](const EpochEvent& event) {
    twin.losses.push_back(*event.loss);
    if (event.last) twin.reading = event.readings[0].value;
  });
  twin.model = trainer.parameters();
  const Matrix z = trainer.predictions();
  if (classes) {
    twin.logits = z;
    twin.predictions = Matrix(z.rows(), 1);
    for (Eigen::Index row = 0; row < z.rows(); ++row) {
      Eigen::Index likeliest = 0;
      z.row(row).maxCoeff(&likeliest);
      twin.predictions(row, 0) = static_cast<double>(likeliest);
    }
  } else {
    const Matrix telling = targets_of_scale(job.data, whole);
    const double unit = deviations(telling)(0);
    twin.reading *= unit;
    twin.predictions = (z * unit).array() + telling.mean();
  }
  return twin;
}

// `tested`: how many nodes or graphs the accuracy is of; one of them may lie between two classes.
void expect_like(const Outcome& outcome, const Twin& twin, bool classes, std::int64_t tested) {
  ASSERT_EQ(outcome.losses.size(), twin.losses.size());
  for (std::size_t i = 0; i < twin.losses.size(); ++i) {
    EXPECT_NEAR(outcome.losses[i], twin.losses[i], 1e-2 * twin.losses[i]) << "epoch " << i + 1;
  }
  const RunResult& first = outcome.ranks[0];
  ASSERT_EQ(first.readings.size(), 1);
  EXPECT_NEAR(first.readings[0].value, twin.reading,
              classes ? std::max(0.06, 1.01 / static_cast<double>(tested)) : 0.01 * twin.reading);
  ASSERT_EQ(first.model.size(), twin.model.size());
  for (std::size_t i = 0; i < twin.model.size(); ++i) {
    EXPECT_EQ(first.model[i].name, twin.model[i].name);
    const Matrix& expected = twin.model[i].values;
    // A ReLU unit at its edge is active or not, depending on rounding.
    EXPECT_LE((first.model[i].values - expected).cwiseAbs().maxCoeff(), 0.1 * (1 + expected.cwiseAbs().maxCoeff()))
        << twin.model[i].name;
  }
  ASSERT_TRUE(outcome.ranks[1].predictions.values);
  const Matrix difference = *outcome.ranks[1].predictions.values - twin.predictions;
  if (classes) {
    // The logits of shares are those of the twin to a few hundredths: other classes win where two are as close.
    constexpr double kClose = 0.1;
    for (Eigen::Index row = 0; row < difference.rows(); ++row) {
      const auto named = static_cast<Eigen::Index>((*outcome.ranks[1].predictions.values)(row, 0));
      EXPECT_GE(twin.logits(row, named), twin.logits.row(row).maxCoeff() - kClose) << "row " << row;
    }
    EXPECT_LE((difference.array() != 0).count(), difference.size() / 10);
  } else {
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 0.03 * twin.reading);
  }
}

// Only the named recipients see a result.
void expect_seen_as_listed(const Outcome& outcome, std::size_t layers) {
  for (std::size_t rank = 0; rank < outcome.ranks.size(); ++rank) {
    EXPECT_EQ(outcome.ranks[rank].model.empty(), rank != 0) << rank;
    EXPECT_EQ(outcome.ranks[rank].predictions.any(), rank == 1) << rank;
  }
  std::vector<std::string> reasons;
  for (const mpc::Reveal& reveal : outcome.ranks[0].reveals) reasons.push_back(reveal.reason);
  std::erase_if(reasons, [](const std::string& reason) { return reason.starts_with("magnitude of the "); });
  const auto of_last = [&](const char* what) { return fmt::format("model: layer {} {}", layers - 1, what); };
  EXPECT_THAT(reasons,
              testing::UnorderedElementsAre(kAuditReason, std::string(mpc::kKnownAnswer), "training loss",
                                            testing::StartsWith("test "), "model: layer 0 weight",
                                            "model: layer 0 bias", of_last("weight"), of_last("bias"), "predictions"));
}

struct Case {
  const char* name;
  Job (*job)();
};

class TrainingRun : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Ownerships, TrainingRun,
    testing::Values(
        Case{"RowsStandardisedAcrossOwners",
             [] { return sensors_job(ownership_of("rows", "edges", "rows", "public")); }},
        Case{"ColumnsAndASecretGraph",
             [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        Case{"SecretMasksOfOneRank", [] { return sensors_job(ownership_of("rank 0", "public", "rank 1", "rank 1")); }},
        Case{"SecretMasksOfEveryRank", [] { return sensors_job(ownership_of("rows", "edges", "rows", "rows")); }},
        Case{"SecretMasksInBatches",
             [] {
               Job job = sensors_job(ownership_of("rank 0", "public", "rank 1", "rank 0"));
               job.training.batch = 20;
               job.training.rate.initial = 0.02;
               return job;
             }},
        Case{"RowsWithoutAGraphInBatches",
             [] { return rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        Case{"RowsOfOwnersWithoutAGraph", [] { return rows_job(ownership_of("rows", "none", "rows", "public")); }},
        Case{"RowsWithoutAGraphBehindSecretMasks",
             [] { return rows_job(ownership_of("rank 0", "none", "rank 1", "rank 1")); }},
        Case{"ClassesOfRowsWithoutAGraph",
             [] { return classes_of_rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        Case{"RowsInBlocks", [] { return many_rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        Case{"ClassesOfRows", [] { return communities_job(ownership_of("rows", "public", "rows", "public")); }},
        Case{"ClassesOfColumnsSummedAcrossOwners",
             [] { return communities_job(ownership_of("columns", "public", "rank 0", "public")); }},
        Case{"ClassesBehindSecretMasks",
             [] { return communities_job(ownership_of("rank 0", "public", "rows", "rows")); }},
        Case{"GraphsOfRows", [] { return pooled_job(ownership_of("rows", "edges", "rows", "public")); }},
        Case{"GraphsOfWhichAnotherRankHasTheMasks",
             [] { return pooled_job(ownership_of("rows", "public", "rank 0", "rank 1")); }},
        Case{"GraphsOfColumnsWithSecretMasks",
             [] { return pooled_job(ownership_of("columns", "public", "rank 0", "rank 0")); }},
        Case{"GraphsOfRowsWithSecretMasksInBatches",
             [] {
               Job job = pooled_job(ownership_of("rows", "public", "rows", "rows"));
               job.training.batch = 5;
               job.training.rate.initial = 0.01;
               return job;
             }},
        Case{"ClassesOfSecretGraphs",
             [] { return classes_of_graphs_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        Case{"ClassesOfPublicGraphsInBatches",
             [] {
               Job job = classes_of_graphs_job(ownership_of("rows", "public", "rows", "public"));
               job.training.batch = 7;
               job.training.rate.initial = 0.02;
               return job;
             }},
        Case{"ClassesInBatches",
             [] {
               Job job = communities_job(ownership_of("rank 1", "public", "rank 0", "public"));
               job.training.batch = 18;
               job.training.rate.initial = 0.25;
               job.training.epochs = 20;
               return job;
             }}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(TrainingRun, RevealsWhatItsTwinComesTo) {
  const Job job = GetParam().job();
  const Twin twin = twin_of(job);
  EXPECT_LT(twin.losses.back(), 0.98 * twin.losses.front());
  std::vector<int> numbers{3};
  if (kSlowdown == 1) numbers = job.data.has_graph() ? std::vector{2, 3} : std::vector{2, 3, 5};
  for (const int parties : numbers) {
    SCOPED_TRACE(parties);
    const Outcome outcome = outcome_of(job, parties);
    expect_like(outcome, twin, job.data.classes > 0, std::ssize(rows_where(job.whole.test_mask)));
    expect_seen_as_listed(outcome, job.training.model.layers.size());
  }
}

// If one owner has all targets and knows the training nodes, targets of other nodes have no effect:
// losses and predictions stay equal.
TEST(TrainingRun, LearnsNothingFromTargetsOfOtherNodes) {
  for (const char* masks : {"public", "rank 0"}) {
    SCOPED_TRACE(masks);
    Job job = sensors_job(ownership_of("rank 0", "public", "rank 0", masks));
    job.training.epochs = 5;
    const Outcome before = outcome_of(job, 2);
    for (const std::int64_t node : rows_where(job.whole.test_mask)) (*job.whole.targets)(node, 0) += 100;
    const Outcome after = outcome_of(job, 2);
    ASSERT_EQ(after.losses.size(), before.losses.size());
    for (std::size_t i = 0; i < before.losses.size(); ++i) EXPECT_NEAR(after.losses[i], before.losses[i], 5e-3);
    const Matrix moved = *after.ranks[1].predictions.values - *before.ranks[1].predictions.values;
    EXPECT_LE(moved.cwiseAbs().maxCoeff(), 1) << "of targets that moved by 100";
  }
}

// For every distance of the targets from the training nodes' targets, and every owner.
TEST(TrainingRun, TellsErrorsOfTargetsThatAreFarAway) {
  for (const char* labels : {"rows", "rank 0"}) {
    for (const double away : {0.0, 10.0}) {  // multiples of `unit` below
      SCOPED_TRACE(testing::Message() << labels << ", " << away);
      Job job = sensors_job(ownership_of(labels, "public", labels, "public"));
      job.training.epochs = 5;
      Matrix& targets = *job.whole.targets;
      const bool constant = labels == std::string("rows") && away == 0;
      const double unit = deviations(targets)(0);
      for (const std::int64_t node : rows_where(job.whole.train_mask)) {
        if (constant) targets(node, 0) = 5;
      }
      for (const std::int64_t node : rows_where(job.whole.test_mask)) targets(node, 0) += away * unit;
      const Twin twin = twin_of(job);
      const Outcome outcome = outcome_of(job, 3);
      EXPECT_NEAR(outcome.ranks[0].readings.front().value, twin.reading, 0.01 * twin.reading);
    }
  }
}

// The errors of all ranks when one rank has another job or other data.
std::vector<std::string> refusals(const Job& job, int other, const std::function<void(Job&, GraphData&)>& change) {
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    Job own = job;
    GraphData part;
    if (mesh.world().is_party()) part = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
    if (mesh.rank() == other) change(own, part);
    run_training(mesh, own.data, own.training, mesh.world().is_party() ? &part : nullptr);
  });
  std::vector<std::string> texts;
  for (const std::exception_ptr& error : errors) texts.push_back(net::message_of(error));
  return texts;
}

TEST(RefusedRun, NamesTheSettingThatDiffersAtEveryRank) {
  const Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  for (const int other : {1, 2}) {
    const auto texts = refusals(job, other, [](Job& own, GraphData&) { own.training.rate.initial = 0.5; });
    EXPECT_THAT(texts, testing::Each(testing::AllOf(testing::HasSubstr("training.optimiser.rate ("),
                                                    testing::HasSubstr("0.04"), testing::HasSubstr("0.5"),
                                                    testing::HasSubstr(fmt::format("0 and {}", other)))));
  }
}

// Before the known-answer test, two builds with different stream names trained to meaningless
// numbers.
TEST(RefusedRun, OfAnotherBuildsStreamsEndsAtEveryRankBeforeAnythingIsShared) {
  const Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  for (const int other : {0, 1, 2}) {
    std::vector<std::vector<std::string>> phases(3);
    const auto errors =
        net::errors_of_ranks(net::with_other_streams(net::mesh_kind("Memory").make(2, 1), other), [&](net::Mesh& mesh) {
          std::optional<GraphData> own;
          if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
          RunOptions options;
          options.on_phase = [&](std::string_view phase) {
            phases[static_cast<std::size_t>(mesh.rank())].emplace_back(phase);
          };
          run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
        });
    for (const std::exception_ptr& error : errors) {
      EXPECT_THAT(net::message_of(error), testing::HasSubstr("another build of Tacit"));
    }
    phases.pop_back();  // the dealer is ahead of the parties, since it handles no data
    EXPECT_THAT(phases, testing::Each(testing::Not(testing::Contains("sharing the data"))));
  }
}

TEST(RefusedRun, SaysThatLabelsAreOfAnotherKind) {
  Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  job.whole.targets.reset();
  job.whole.classes = std::vector<std::int64_t>(static_cast<std::size_t>(job.whole.nodes), 1);
  EXPECT_THAT(refusals(job, -1, {}), testing::Each(testing::HasSubstr("the files hold classes")));
}

TEST(RefusedRun, SaysThatTargetsAreTooFarFromZeroForTheirDeviation) {
  Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  job.whole.targets->array() += 1e10;
  EXPECT_THAT(refusals(job, -1, {}), testing::Contains(testing::HasSubstr("subtract a constant")));
}

TEST(RefusedRun, OfAModelWithoutAnOutputForEachTargetSaysSoToAllBeforeAnythingIsShared) {
  Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  job.training.model = ModelSpec::gcn(4, 2);
  std::vector<std::vector<std::string>> phases(3);
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
    RunOptions options;
    options.on_phase = [&](std::string_view phase) {
      phases[static_cast<std::size_t>(mesh.rank())].emplace_back(phase);
    };
    run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  for (const std::exception_ptr& error : errors) {
    EXPECT_THAT(net::message_of(error), testing::HasSubstr("2 outputs, but there are 1 targets or classes"));
  }
  EXPECT_THAT(phases, testing::Each(testing::Not(testing::Contains("sharing the data"))));
}

TEST(LargeTargets, AreToldInTheirOwnUnitInEveryRing) {
  for (const mpc::Format top : {mpc::Format{64, 13}, {64, 16}, {48, 12}}) {
    Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
    *job.whole.targets *= 40;
    job.training.top = top;
    const Twin twin = twin_of(job);
    const Outcome outcome = outcome_of(job, 2);
    EXPECT_NEAR(outcome.ranks[0].readings.at(0).value, twin.reading, 0.02 * twin.reading) << top.ring_bits;
  }
}

TEST(RefusedRun, NamesThePartThatDoesNotFitTheJob) {
  const Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  const auto texts = refusals(job, 1, [](Job&, GraphData& part) { part.x.reset(); });
  EXPECT_THAT(texts[1], testing::HasSubstr("this rank's data"));
  EXPECT_THAT(texts, testing::Each(testing::Not(testing::IsEmpty())));
}

class TrainingRunWithCheckpoints : public testing::Test {
 protected:
  TrainingRunWithCheckpoints() : job_(sensors_job(ownership_of("columns", "public", "rank 0", "public"))) {
    job_.training.checkpoint_every = 10;
  }
  OptionsOf options(IfNone if_none) {
    return [=, this](int rank) {
      RunOptions made;
      if (rank < 2) made.checkpoints = folder_.options(rank);
      made.if_none = if_none;
      return made;
    };
  }

  SampleFolder folder_;
  Job job_;
};

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
  std::map<std::string, double> told;  // of the only number that was better than none: the first
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
