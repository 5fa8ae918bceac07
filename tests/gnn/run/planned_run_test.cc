// The cost of a run is known in advance: rounds, bytes and messages of every rank and of the
// dealer, to the byte.
#include "gnn/run/planned_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bench/data/sensors.h"
#include "gnn/run/openings.h"
#include "gnn/run/training_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/planned_job.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

struct PlannedCase {
  const char* name;
  Job (*job)();
};

// Every metric of classes, each with its own period, with weights and smoothing.
Job with_metrics_of_classes(Job job) {
  job.training.epochs = 7;
  job.training.class_weights.balanced = true;
  job.training.label_smoothing = 0.1;
  const mpc::To all = mpc::To::everyone(), first = mpc::To::rank(0);
  job.training.metrics = {{Metric::kPrecision, Part::kTest, all, 2},
                          {Metric::kRecall, Part::kValidation, first, 3, 2},
                          {Metric::kF1, Part::kTest, all, 0, {}, Average::kMacro},
                          {Metric::kF1, Part::kTrain, all, 2, {}, Average::kMicro},
                          {Metric::kConfusion, Part::kTest, mpc::To::rank(1)},
                          {Metric::kRocAuc, Part::kTest, all, 5, 1},
                          {Metric::kAveragePrecision, Part::kTest, all, 0, 2},
                          {Metric::kRocAuc, Part::kTrain, all, 0, 1, {}, 8},
                          {Metric::kAveragePrecision, Part::kTrain, all, 0, 0, {}, 8},
                          {Metric::kLogLoss, Part::kValidation, first, 1},
                          {Metric::kLoss, Part::kValidation, all, 4}};
  return job;
}

class PlannedRunOf : public testing::TestWithParam<PlannedCase> {};

INSTANTIATE_TEST_SUITE_P(
    Jobs, PlannedRunOf,
    testing::Values(
        PlannedCase{"GraphsOfRowsAndSecretEdges",
                    [] { return with_all_reveals(pooled_job(ownership_of("rows", "edges", "rows", "public"))); }},
        PlannedCase{"GraphsWithSecretMasksOfOthersInBatches",
                    [] {
                      Job job = with_all_reveals(pooled_job(ownership_of("columns", "public", "rank 0", "rank 1")));
                      job.training.batch = 5;
                      return job;
                    }},
        PlannedCase{"LinksOfSecretEdgesWithNoneInSomeBatches",
                    [] {
                      Job job = links_job(ownership_of("rows", "edges", "none", "none"));
                      job.data.links = LinkPlan{.validation = 0.3, .test = 0.5, .drawn = 6, .seed = 5};
                      job.training.batch = 12;
                      job.training.epochs = 2;
                      return job;
                    }},
        PlannedCase{"SnapshotsOfRowsAndSecretEdges",
                    [] { return with_all_reveals(snapshots_job(ownership_of("rows", "edges", "rows", "public"))); }},
        PlannedCase{
            "SnapshotsOfAPublicGraph",
            [] { return with_all_reveals(snapshots_job(ownership_of("columns", "public", "rank 0", "rank 1"))); }},
        PlannedCase{"RowsAndSecretEdges",
                    [] { return with_all_reveals(sensors_job(ownership_of("rows", "edges", "rows", "public"))); }},
        PlannedCase{"ColumnsAndASparseGraph",
                    [] {
                      return with_all_reveals(
                          sparse(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))));
                    }},
        PlannedCase{"SnapshotsOfASparseGraphInBatches",
                    [] {
                      Job job =
                          with_all_reveals(sparse(snapshots_job(ownership_of("rows", "rank 0", "rows", "public"))));
                      job.training.batch = 30;
                      return job;
                    }},
        PlannedCase{
            "RowsAndSparseEdgesOfOwners",
            [] { return with_all_reveals(sparse(sensors_job(ownership_of("rows", "edges", "rows", "public")))); }},
        PlannedCase{"SnapshotsOfSparseEdgesOfOwnersInBatches",
                    [] {
                      Job job =
                          with_all_reveals(sparse(snapshots_job(ownership_of("rows", "edges", "rows", "public"))));
                      job.training.batch = 30;
                      return job;
                    }},
        PlannedCase{"RowsThatLackFeatures",
                    [] {
                      Job job = sensors_job(ownership_of("rows", "public", "rank 0", "public"));
                      return with_all_reveals(without_features(std::move(job)));
                    }},
        PlannedCase{"RowsCutAtADeviationAndAHalf",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("rows", "public", "rank 0", "public")));
                      job.whole.x->row(3) *= 30;  // heavy tails
                      job.data.cut = 1.5;
                      return job;
                    }},
        PlannedCase{"AuditsOfEveryFourthEpoch",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.epochs = 10;
                      job.training.audit_every = 4;
                      return job;
                    }},
        PlannedCase{"NoAudits",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.audit_every = 0;
                      return job;
                    }},
        PlannedCase{
            "ColumnsAndAPublicGraph",
            [] { return with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public"))); }},
        PlannedCase{"SecretMasksInBatches",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("rank 0", "public", "rank 1", "rank 0")));
                      job.training.batch = 20;
                      job.training.evaluate_every = 2;
                      return job;
                    }},
        PlannedCase{"ManyEpochsThatMayStopEarly",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")));
                      job.training.epochs = 12;
                      job.training.evaluate_every = 1;
                      job.training.stopping =
                          EarlyStopping{.judged = {.metric = {}, .patience = 12, .least_improvement = 0}};
                      return job;
                    }},
        PlannedCase{"ClassesWithDropoutAndAdam",
                    [] {
                      Job job = with_all_reveals(communities_job(ownership_of("rows", "public", "rows", "public")));
                      job.training.model.layers.insert(job.training.model.layers.begin(),
                                                       {.kind = LayerSpec::Kind::kDropout, .rate = 0.5});
                      job.training.optimiser = AdamOptions{};
                      job.training.clip = 0.5;
                      return job;
                    }},
        PlannedCase{"AdamAndDropoutOnASecretGraphEvaluatedNowAndThen",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "edges", "rank 0", "public")));
                      job.training.epochs = 8;
                      job.training.evaluate_every = 3;
                      job.training.model.layers.insert(job.training.model.layers.begin() + 2,
                                                       {.kind = LayerSpec::Kind::kDropout, .rate = 0.5});
                      job.training.optimiser = AdamOptions{};
                      return job;
                    }},
        PlannedCase{"AdamThatFollowsItsRoots",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.epochs = 5;
                      job.training.batch = 10;
                      job.training.optimiser = AdamOptions{.weight_decay = 0.01};
                      return job;
                    }},
        PlannedCase{"SumsOfErrorsInANarrowRing",  // squares are lifted products
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.top = {48, 12};
                      job.training.batch = 20;
                      job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest, mpc::To::everyone(), 2},
                                              {Metric::kMeanAbsoluteError, Part::kTest, mpc::To::everyone(), 1},
                                              {Metric::kLoss, Part::kTrain, mpc::To::rank(1), 2}};
                      return job;
                    }},
        PlannedCase{"SumsOfErrorsInTheirOwnRing",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.top = {64, 12};
                      job.training.ranges.gradients = 15;
                      job.training.batch = 20;
                      job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest, mpc::To::everyone(), 2},
                                              {Metric::kLoss, Part::kTest, mpc::To::rank(1), 2}};
                      return job;
                    }},
        PlannedCase{"JumpsAndLayerNormInBatches",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.batch = 20;
                      job.training.evaluate_every = 2;
                      job.training.model.layers = {{.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 8},
                                                   {.kind = LayerSpec::Kind::kLayerNorm},
                                                   {.kind = LayerSpec::Kind::kRelu},
                                                   {.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 6},
                                                   {.kind = LayerSpec::Kind::kLayerNorm},
                                                   {.kind = LayerSpec::Kind::kRelu},
                                                   {.kind = LayerSpec::Kind::kDense, .outputs = 1, .jump = true}};
                      return job;
                    }},
        PlannedCase{"PublicDataWithSmallNumbers",  // once standardised, less than half a unit
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("public", "public", "public", "public")));
                      Matrix &x = *job.whole.x, &y = *job.whole.targets;
                      x(0, 0) = x.col(0).tail(x.rows() - 1).mean() + 1e-6;
                      y(0, 0) = y.col(0).tail(y.rows() - 1).mean() + 1e-6;
                      return job;
                    }},
        PlannedCase{"FewFractionBits",  // in which some initial weights are zero
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.model = ModelSpec::gcn(64, 1);
                      job.training.top = {64, 8};
                      job.training.rate.initial = 0.01;
                      return job;
                    }},
        PlannedCase{"JumpOverALayerNorm",
                    [] {
                      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
                      job.training.model.layers = {{.kind = LayerSpec::Kind::kMeanAggregation, .outputs = 4},
                                                   {.kind = LayerSpec::Kind::kDense, .outputs = 3},
                                                   {.kind = LayerSpec::Kind::kLayerNorm},
                                                   {.kind = LayerSpec::Kind::kDense, .outputs = 1, .jump = true}};
                      return job;
                    }},
        PlannedCase{"RowsWithoutAGraph",
                    [] {
                      Job job = with_all_reveals(rows_job(ownership_of("columns", "none", "rank 0", "public")));
                      job.training.batch = 7;  // and 6: two kinds of batches
                      job.training.evaluate_every = 2;
                      return job;
                    }},
        PlannedCase{
            "ClassesOfRowsWithoutAGraph",
            [] { return with_all_reveals(classes_of_rows_job(ownership_of("rows", "none", "rows", "public"))); }},
        PlannedCase{"ManyRowsMeasuredInTwoParts",
                    [] {
                      Job job = many_rows_job(ownership_of("columns", "none", "rank 0", "public"));
                      job.training.metrics.push_back({Metric::kMeanAbsoluteError, Part::kTrain, mpc::To::rank(1)});
                      job.training.evaluate_every = 1;
                      return with_all_reveals(job);
                    }},
        PlannedCase{"MetricsOfClasses",
                    [] {
                      return with_metrics_of_classes(
                          communities_job(ownership_of("columns", "public", "rank 0", "public")));
                    }},
        PlannedCase{
            "MetricsOfClassesBehindSecretMasks",
            [] { return with_metrics_of_classes(communities_job(ownership_of("rows", "rank 0", "rows", "rank 1"))); }},
        PlannedCase{"MetricsOfRows",
                    [] {
                      Job job = many_rows_job(ownership_of("rows", "none", "rows", "public"));
                      job.training.epochs = 4;
                      job.training.metrics = {{Metric::kR2, Part::kTest},
                                              {Metric::kExplainedVariance, Part::kTrain, mpc::To::rank(1), 2},
                                              {Metric::kLoss, Part::kTest, mpc::To::everyone(), 3}};
                      return job;
                    }},
        PlannedCase{"RowsWithoutAGraphBehindSecretMasks",
                    [] { return with_all_reveals(rows_job(ownership_of("rank 0", "none", "rank 1", "rank 0"))); }},
        PlannedCase{
            "ClassesBehindSecretMasks",
            [] { return with_all_reveals(communities_job(ownership_of("columns", "rank 0", "rows", "rows"))); }}),
    [](const auto& tested) { return tested.param.name; });

void expect_as_planned(const Job& job, int parties) {
  const DataAgreement agreement = agreement_for(job, parties);
  net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
    const bool party = mesh.world().is_party();
    std::optional<GraphData> own;
    if (party) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    const net::AllReducePlan openings = *plan_of(job.training.openings, parties);
    const PlannedRun planned =
        planned_run(job.data, job.training, agreement, {parties, party ? mesh.rank() : 0, openings});
    std::size_t epochs = 0;
    RunOptions options;
    options.on_epoch = [&](const EpochEvent& event) {
      ASSERT_LT(epochs, planned.epochs.size());
      const mpc::Cost& expected = planned.epochs[epochs++].cost;
      if (!party) return;
      EXPECT_EQ(event.cost, expected) << "epoch " << event.epoch << " of rank " << mesh.rank();
      EXPECT_EQ(event.traffic->rounds, expected.rounds) << "epoch " << event.epoch << " of rank " << mesh.rank();
      std::int64_t sent = 0;
      for (int peer = 0; peer < parties; ++peer) {
        sent += event.traffic->peers[static_cast<std::size_t>(peer)].payload_sent;
      }
      EXPECT_EQ(sent, expected.bytes) << "epoch " << event.epoch << " of rank " << mesh.rank();
    };
    const net::Traffic before = mesh.traffic();
    const RunResult result = run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
    EXPECT_EQ(epochs, planned.epochs.size());
    ASSERT_EQ(result.reveals.size(), planned.reveals.size());
    for (std::size_t i = 0; i < planned.reveals.size(); ++i) {
      EXPECT_EQ(result.reveals[i].reason, planned.reveals[i].reason);
      EXPECT_EQ(result.reveals[i].count, planned.reveals[i].count);
      EXPECT_EQ(result.reveals[i].elements, planned.reveals[i].elements);
      EXPECT_EQ(result.reveals[i].to, planned.reveals[i].to);
    }
    if (party) {
      EXPECT_EQ(result.cost, planned.total.cost) << "rank " << mesh.rank();
      EXPECT_EQ(result.openings, openings);
      EXPECT_EQ(result.profile.cost(), result.cost) << "rank " << mesh.rank();
      expect_same_costs(result.profile, planned.profile, mesh.rank());
      return;
    }
    const std::int64_t dealt = (mesh.traffic() - before).total().payload_sent;
    EXPECT_GE(dealt, planned.total.cost.dealt_bytes);
    EXPECT_LE(dealt, planned.total.cost.dealt_bytes + 100'000);  // and the messages that agree on the jobs
  });
}

TEST_P(PlannedRunOf, CostsWhatIsMeasured) {
  for (const int parties : {2, 3, 5}) {
    SCOPED_TRACE(parties);
    expect_as_planned(GetParam().job(), parties);
  }
}

TEST_P(PlannedRunOf, CostsWhatIsMeasuredHoweverValuesAreOpened) {
  for (const Openings openings : {Openings::kDirect, Openings::kTwoPhase}) {
    Job job = GetParam().job();
    job.training.openings = openings;
    job.training.epochs = 2;
    job.training.stopping.reset();
    expect_as_planned(job, 4);
  }
}

// Rows in no batch cost nothing before predictions.
TEST(PlannedRun, OfRowsWithoutAGraphCostsAsMuchAnEpochHoweverManyAreNotTrainedOn) {
  const auto cost = [](std::int64_t rows) {
    Job job = rows_job(ownership_of("columns", "none", "rank 0", "public"));
    SensorsOptions options;
    options.stations = rows;
    job.whole = make_sensors(options);
    NodeMask& train = *job.whole.train_mask;
    for (std::size_t node = 0; node < train.size(); ++node) train[node] = node < 50;
    return planned_run(job.data, job.training, agreement_for(job, 3), {3, 0, *plan_of(Openings::kDirect, 3)})
        .usual_epoch()
        .cost;
  };
  EXPECT_EQ(cost(90), cost(400));
}

TEST(PlannedRun, IsOfAnyNumberOfParties) {
  const Job job = with_all_reveals(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")));
  const DataAgreement agreement = agreement_for(job, 3);
  const auto cost = [&](int parties) {
    return planned_run(job.data, job.training, agreement, {parties, 0, *plan_of(Openings::kDirect, parties)})
        .usual_epoch()
        .cost;
  };
  EXPECT_EQ(cost(100).rounds, cost(2).rounds);
  EXPECT_EQ(2 * cost(100).bytes, 99 * cost(3).bytes);  // direct: equally much to each of the others
  EXPECT_EQ(cost(100).dealt_bytes, cost(2).dealt_bytes);
}

TEST(PlannedRun, HasTheCostOfEachEpochByPart) {
  Job job = with_all_reveals(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")));
  job.training.epochs = 7;
  job.training.evaluate_every = 3;
  const PlannedRun run =
      planned_run(job.data, job.training, agreement_for(job, 3), {3, 0, net::AllReducePlan::unmeasured(3)});
  EXPECT_EQ(run.profile.cost(), run.total.cost);
  EXPECT_EQ(run.profile.before.cost(), run.sharing.cost);
  EXPECT_EQ(run.profile.first_epoch.cost(), run.epochs.front().cost);
  EXPECT_EQ(run.profile.after.cost(), run.results.cost);
  EXPECT_EQ(run.profile.epochs, 6);
  const mpc::Profile& epochs = run.profile.later_epochs;
  EXPECT_EQ(epochs.time().count(), 0);
  std::map<std::string, std::int64_t> times;
  for (const mpc::Profile::Part& part : epochs.parts) times[part.name] = part.times;
  std::map<std::string, std::int64_t> expected = {{"evaluation", 6}};  // 3, each before and after its audit
  expected["loss"] = 21;  // the gradient; the sum, after the backward pass; the sum over batches; a reveal at once
  expected["between epochs"] = 7;  // also after the first one
  expected["range watch"] = 9;     // in every epoch, and before every evaluation is revealed
  for (const char* part : {"masking the weights", "layer 0 forward", "layer 1 forward", "layer 2 forward",
                           "layer 2 backward", "layer 1 backward", "layer 0 backward", "optimiser"}) {
    expected[part] = 6;
  }
  EXPECT_EQ(times, expected);
}

}  // namespace
}  // namespace tacit::gnn
