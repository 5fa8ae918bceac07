// A rank's whole part in a training: for every ownership of the data, the revealed results equal
// the results of a twin (plaintext reference) with all data.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gnn/train/range_left.h"
#include "mpc/functions/known_answer.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/job_refusal.h"
#include "tests/gnn/run/whole_run.h"
#include "tests/mpc/other_streams_mesh.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

// Only the named recipients see a result.
void expect_seen_as_listed(const Outcome& outcome, std::size_t layers) {
  for (std::size_t rank = 0; rank < outcome.ranks.size(); ++rank) {
    EXPECT_EQ(outcome.ranks[rank].model.empty(), rank != 0) << rank;
    EXPECT_EQ(outcome.ranks[rank].predictions.any(), rank == 1) << rank;
  }
  std::vector<std::string> reasons;
  for (const mpc::Reveal& reveal : outcome.ranks[0].reveals) reasons.push_back(reveal.reason);
  std::erase_if(reasons, [](const std::string& reason) {
    return reason.starts_with("magnitude of the ") || reason.starts_with("known features ");
  });
  const auto of_last = [&](const char* what) { return fmt::format("model: layer {} {}", layers - 1, what); };
  EXPECT_THAT(reasons,
              testing::UnorderedElementsAre(kAuditReason, std::string(mpc::kKnownAnswer), "training loss",
                                            testing::StartsWith("test "), "model: layer 0 weight",
                                            "model: layer 0 bias", of_last("weight"), of_last("bias"), "predictions"));
}

struct Task {
  const char* name;
  Job (*job)();
};

class TrainingRun : public testing::TestWithParam<Task> {};

INSTANTIATE_TEST_SUITE_P(
    Ownerships, TrainingRun,
    testing::Values(
        Task{"RowsStandardisedAcrossOwners",
             [] { return sensors_job(ownership_of("rows", "edges", "rows", "public")); }},
        Task{"RowsThatLackFeatures",
             [] { return without_features(sensors_job(ownership_of("rows", "edges", "rows", "public"))); }},
        Task{"ColumnsThatLackFeatures",
             [] { return without_features(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        Task{"SnapshotsThatLackFeatures",
             [] { return without_features(snapshots_job(ownership_of("rows", "public", "rank 1", "public"))); }},
        Task{"ColumnsAndASecretGraph",
             [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        Task{"ColumnsAndASparseGraph",
             [] { return sparse(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        Task{"ClassesAndASparseGraphInBatches",
             [] {
               Job job = sparse(communities_job(ownership_of("rows", "rank 0", "rows", "public")));
               job.training.batch = 18;
               job.training.rate.initial = 0.25;
               job.training.epochs = 20;
               return job;
             }},
        Task{"RowsAndSparseEdgesOfOwners",
             [] { return sparse(sensors_job(ownership_of("rows", "edges", "rows", "public"))); }},
        Task{"SecretMasksAndSparseEdgesOfOwners",
             [] { return sparse(sensors_job(ownership_of("rows", "edges", "rows", "rows"))); }},
        Task{"ClassesAndSparseEdgesOfOwnersInBatches",
             [] {
               Job job = sparse(communities_job(ownership_of("rows", "edges", "rows", "public")));
               job.training.batch = 18;
               job.training.rate.initial = 0.25;
               job.training.epochs = 20;
               return job;
             }},
        Task{"GraphsOfRowsAndSparseEdges",
             [] { return sparse(pooled_job(ownership_of("rows", "edges", "rows", "public"))); }},
        Task{"SnapshotsOfOwnersOfRowsAndSparseEdges",
             [] { return sparse(snapshots_job(ownership_of("rows", "edges", "rows", "rows"))); }},
        Task{"SecretMasksOfOneRank", [] { return sensors_job(ownership_of("rank 0", "public", "rank 1", "rank 1")); }},
        Task{"SecretMasksOfEveryRank", [] { return sensors_job(ownership_of("rows", "edges", "rows", "rows")); }},
        Task{"SecretMasksInBatches",
             [] {
               Job job = sensors_job(ownership_of("rank 0", "public", "rank 1", "rank 0"));
               job.training.batch = 20;
               job.training.rate.initial = 0.02;
               return job;
             }},
        Task{"RowsWithoutAGraphInBatches",
             [] { return rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        Task{"RowsOfOwnersWithoutAGraph", [] { return rows_job(ownership_of("rows", "none", "rows", "public")); }},
        Task{"RowsWithoutAGraphBehindSecretMasks",
             [] { return rows_job(ownership_of("rank 0", "none", "rank 1", "rank 1")); }},
        Task{"ClassesOfRowsWithoutAGraph",
             [] { return classes_of_rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        Task{"RowsInBlocks", [] { return many_rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        Task{"ClassesOfRows", [] { return communities_job(ownership_of("rows", "public", "rows", "public")); }},
        Task{"ClassesOfColumnsSummedAcrossOwners",
             [] { return communities_job(ownership_of("columns", "public", "rank 0", "public")); }},
        Task{"ClassesBehindSecretMasks",
             [] { return communities_job(ownership_of("rank 0", "public", "rows", "rows")); }},
        Task{"GraphsOfRows", [] { return pooled_job(ownership_of("rows", "edges", "rows", "public")); }},
        Task{"GraphsOfWhichAnotherRankHasTheMasks",
             [] { return pooled_job(ownership_of("rows", "public", "rank 0", "rank 1")); }},
        Task{"GraphsOfColumnsWithSecretMasks",
             [] { return pooled_job(ownership_of("columns", "public", "rank 0", "rank 0")); }},
        Task{"GraphsOfRowsWithSecretMasksInBatches",
             [] {
               Job job = pooled_job(ownership_of("rows", "public", "rows", "rows"));
               job.training.batch = 5;
               job.training.rate.initial = 0.01;
               return job;
             }},
        Task{"ClassesOfSecretGraphs",
             [] { return classes_of_graphs_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        Task{"ClassesOfSparseGraphs",
             [] { return sparse(classes_of_graphs_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        Task{"ClassesOfPublicGraphsInBatches",
             [] {
               Job job = classes_of_graphs_job(ownership_of("rows", "public", "rows", "public"));
               job.training.batch = 7;
               job.training.rate.initial = 0.02;
               return job;
             }},
        Task{"SnapshotsOfAPublicGraph",
             [] { return snapshots_job(ownership_of("columns", "public", "rank 0", "public")); }},
        Task{"SnapshotsOfASecretGraph",
             [] { return snapshots_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        Task{"SnapshotsOfASparseGraph",
             [] { return sparse(snapshots_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        Task{"SnapshotsOfOwnersOfRows", [] { return snapshots_job(ownership_of("rows", "edges", "rows", "rows")); }},
        Task{"SnapshotsOfSumsOnASecretGraph",
             [] {
               Job job = snapshots_job(ownership_of("rank 0", "any", "rank 1", "rank 0"));
               using Kind = LayerSpec::Kind;
               job.training.ranges.weight_gradients = 8192;  // a gradient reaches 2473
               job.training.model.layers = {{.kind = Kind::kSumAggregation, .outputs = 4},
                                            {.kind = Kind::kRelu},
                                            {.kind = Kind::kDense, .outputs = 1}};
               job.training.model.layers.front().epsilon = 0.5;
               job.training.rate.initial = 0.01;
               return job;
             }},
        Task{"SnapshotsInBatches",
             [] {
               Job job = snapshots_job(ownership_of("rank 0", "public", "rank 1", "public"));
               job.training.batch = 30;
               job.training.rate.initial = 0.02;
               return job;
             }},
        Task{"ClassesInBatches",
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
  for (const std::exception_ptr& error : errors_before_sharing(job)) {
    EXPECT_THAT(net::message_of(error), testing::HasSubstr("2 outputs, but there are 1 targets or classes"));
  }
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

}  // namespace
}  // namespace tacit::gnn
