// A rank's whole part in a prediction on other data: for every ownership of the data, the revealed
// predictions equal the predictions of the trained model in double precision.
#include "gnn/run/prediction_run.h"

#include <gmock/gmock.h>

#include "gnn/data/snapshots.h"
#include "gnn/run/planned_prediction.h"
#include "gnn/train/range_left.h"
#include "tests/gnn/data/small_graph.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/trained_job.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

Matrix softmax_of(const Matrix& z) {
  const Matrix powers = (z.colwise() - z.rowwise().maxCoeff()).array().exp();
  return powers.array().colwise() / powers.rowwise().sum().array();
}

Job with_weights(Job job) {
  job.data.edge_weights = true;
  give_weights(*job.whole.edges);
  return job;
}

// Jobs with a private graph, by other layers than graph convolutions.
Job job_of_sums() {
  Job job = sensors_job(ownership_of("columns", "rank 0", "rank 1", "public"));
  job.training.model.layers.front().kind = LayerSpec::Kind::kSumAggregation;
  job.training.model.layers.front().epsilon = -0.5;
  job.training.ranges.activations = 1024;
  job.training.ranges.gradients = 1024;
  job.training.ranges.weight_gradients = 16384;
  job.training.rate.initial = 0.01;
  return job;
}

Job job_of_means() {
  Job job = sensors_job(ownership_of("columns", "rank 0", "rank 1", "public"));
  for (LayerSpec& layer : job.training.model.layers) {
    if (layer.has_weights()) layer.kind = LayerSpec::Kind::kMeanAggregation;
  }
  return job;
}

struct PredictedCase {
  const char* name;
  Job (*job)();
};

class PredictionRun : public testing::TestWithParam<PredictedCase> {};

INSTANTIATE_TEST_SUITE_P(
    Ownerships, PredictionRun,
    testing::Values(
        PredictedCase{"RowsStandardisedAcrossOwners",
                      [] { return sensors_job(ownership_of("rows", "edges", "rows", "public")); }},
        PredictedCase{"RowsThatLackFeatures",
                      [] { return without_features(sensors_job(ownership_of("rows", "edges", "rows", "public"))); }},
        PredictedCase{
            "ColumnsThatLackFeatures",
            [] { return without_features(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        PredictedCase{"RowsOfAStatedNumber",
                      [] { return sensors_job(ownership_of("rows", "public", "rank 1", "rank 0")); }},
        PredictedCase{"ColumnsAndASecretGraph",
                      [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        PredictedCase{"ColumnsAndASparseGraph",
                      [] { return sparse(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        PredictedCase{
            "WeightsOfASparseGraph",
            [] { return sparse(with_weights(sensors_job(ownership_of("rows", "rank 0", "rows", "public")))); }},
        PredictedCase{"MeansOfASparseGraph", [] { return sparse(job_of_means()); }},
        PredictedCase{"SumsOfASparseGraph", [] { return sparse(job_of_sums()); }},
        PredictedCase{"SparseEdgesOfOwners",
                      [] { return sparse(sensors_job(ownership_of("rows", "edges", "rows", "public"))); }},
        PredictedCase{
            "WeightsOfSparseEdgesOfAnybody",
            [] { return sparse(with_weights(sensors_job(ownership_of("columns", "any", "rank 0", "public")))); }},
        PredictedCase{"MeansOfWeightsOfSparseEdgesOfAnybody",
                      [] {
                        Job job = sparse(with_weights(sensors_job(ownership_of("columns", "any", "rank 0", "public"))));
                        job.training.model.layers.front().kind = LayerSpec::Kind::kMeanAggregation;
                        return job;
                      }},
        PredictedCase{"MeansOfSparseEdgesOfOwners",
                      [] {
                        Job job = sparse(sensors_job(ownership_of("rows", "edges", "rows", "public")));
                        job.training.model.layers.front().kind = LayerSpec::Kind::kMeanAggregation;
                        return job;
                      }},
        PredictedCase{"SumsOfSparseEdgesOfOwners",
                      [] {
                        Job job = job_of_sums();
                        job.data.ownership.edges = parse_ownership("edges", GraphPart::kEdges);
                        job.data.ownership.features = parse_ownership("rows", GraphPart::kFeatures);
                        return sparse(job);
                      }},
        PredictedCase{"PropagationAlongSparseEdgesOfOwners",
                      [] {
                        Job job = sparse(sensors_job(ownership_of("rows", "edges", "rows", "public")));
                        for (LayerSpec& layer : job.training.model.layers) {
                          if (layer.has_weights()) layer.kind = LayerSpec::Kind::kDense;
                        }
                        job.training.model.layers.push_back(
                            {.kind = LayerSpec::Kind::kPropagation, .steps = 3, .restart = 0.2});
                        return job;
                      }},
        PredictedCase{"PropagationAlongASparseGraph",
                      [] {
                        Job job = sparse(sensors_job(ownership_of("columns", "rank 0", "rank 1", "public")));
                        for (LayerSpec& layer : job.training.model.layers) {
                          if (layer.has_weights()) layer.kind = LayerSpec::Kind::kDense;
                        }
                        job.training.model.layers.push_back(
                            {.kind = LayerSpec::Kind::kPropagation, .steps = 3, .restart = 0.2});
                        return job;
                      }},
        PredictedCase{"AllOfOneRank", [] { return sensors_job(ownership_of("rank 1", "rank 1", "rank 0", "rank 0")); }},
        PredictedCase{"EverythingPublic",
                      [] { return sensors_job(ownership_of("public", "public", "public", "public")); }},
        PredictedCase{"EdgesThatBothOwnersSee",
                      [] { return sensors_job(ownership_of("rows", "any", "rows", "public")); }},
        PredictedCase{"WeightsOfAPublicGraph",
                      [] { return with_weights(sensors_job(ownership_of("rows", "public", "rank 1", "public"))); }},
        PredictedCase{"WeightsOfASecretGraph",
                      [] { return with_weights(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        PredictedCase{"WeightsOfAnybody",
                      [] {
                        Job job = with_weights(sensors_job(ownership_of("columns", "any", "rank 0", "public")));
                        job.training.model.layers.front().kind = LayerSpec::Kind::kMeanAggregation;
                        return job;
                      }},
        PredictedCase{"EdgesOfAnybody", [] { return sensors_job(ownership_of("columns", "any", "rank 1", "rank 0")); }},
        PredictedCase{"SecretMasks", [] { return sensors_job(ownership_of("rank 0", "public", "rows", "rows")); }},
        PredictedCase{"MeanAggregation", job_of_means},
        PredictedCase{"GraphConvolutionBeforeADenseLayer",
                      [] {
                        Job job = sensors_job(ownership_of("columns", "rank 0", "rank 1", "public"));
                        job.training.model.layers.back().kind = LayerSpec::Kind::kDense;
                        return job;
                      }},
        PredictedCase{"SumsOfASecretGraph", job_of_sums},
        PredictedCase{"JumpsAndLayerNormOnASecretGraph",
                      [] {
                        Job job = sensors_job(ownership_of("columns", "rank 0", "rank 1", "public"));
                        job.training.model.layers = {{.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 6},
                                                     {.kind = LayerSpec::Kind::kLayerNorm},
                                                     {.kind = LayerSpec::Kind::kRelu},
                                                     {.kind = LayerSpec::Kind::kMeanAggregation, .outputs = 4},
                                                     {.kind = LayerSpec::Kind::kRelu},
                                                     {.kind = LayerSpec::Kind::kDense, .outputs = 1, .jump = true}};
                        return job;
                      }},
        PredictedCase{"JumpsOnAPublicGraph",
                      [] {
                        Job job = sensors_job(ownership_of("rows", "public", "rank 1", "rank 0"));
                        job.training.model.layers = {
                            {.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 4},
                            {.kind = LayerSpec::Kind::kRelu},
                            {.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 3},
                            {.kind = LayerSpec::Kind::kRelu},
                            {.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 1, .jump = true}};
                        return job;
                      }},
        PredictedCase{"PropagationOnASecretGraph",
                      [] {
                        Job job = sensors_job(ownership_of("columns", "rank 0", "rank 1", "public"));
                        job.training.model.layers = {
                            {.kind = LayerSpec::Kind::kDense, .outputs = 4},
                            {.kind = LayerSpec::Kind::kRelu},
                            {.kind = LayerSpec::Kind::kDense, .outputs = 1},
                            {.kind = LayerSpec::Kind::kPropagation, .steps = 2, .restart = 0.5}};
                        return job;
                      }},
        PredictedCase{"PropagationOfFeatures",
                      [] {
                        Job job = sensors_job(ownership_of("rows", "public", "rank 1", "rank 0"));
                        job.training.model.layers = {{.kind = LayerSpec::Kind::kPropagation, .steps = 2},
                                                     {.kind = LayerSpec::Kind::kDense, .outputs = 1}};
                        return job;
                      }},
        PredictedCase{"ASecretGraphThatNoLayerReads",
                      [] {
                        Job job = sensors_job(ownership_of("columns", "rank 0", "rank 1", "public"));
                        for (LayerSpec& layer : job.training.model.layers) {
                          if (layer.has_weights()) layer.kind = LayerSpec::Kind::kDense;
                        }
                        return job;
                      }},
        PredictedCase{"SnapshotsOfRows", [] { return snapshots_job(ownership_of("rows", "edges", "rows", "public")); }},
        PredictedCase{"SnapshotsOfAPublicGraph",
                      [] { return snapshots_job(ownership_of("columns", "public", "rank 0", "public")); }},
        PredictedCase{"GraphsOfRows", [] { return pooled_job(ownership_of("rows", "edges", "rows", "public")); }},
        PredictedCase{"GraphsOfColumns",
                      [] { return pooled_job(ownership_of("columns", "public", "rank 0", "rank 0")); }},
        PredictedCase{"GraphsOfOneRank",
                      [] { return pooled_job(ownership_of("rank 1", "rank 1", "rank 0", "public")); }},
        PredictedCase{"ClassesOfSecretGraphs",
                      [] { return classes_of_graphs_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        PredictedCase{"RowsWithoutAGraph",
                      [] { return rows_job(ownership_of("columns", "none", "rank 0", "public")); }},
        PredictedCase{"RowsOfOwnersWithoutAGraph",
                      [] { return rows_job(ownership_of("rows", "none", "rows", "public")); }},
        PredictedCase{"ClassesOfRows",
                      [] { return communities_job(ownership_of("rows", "public", "rows", "public")); }},
        PredictedCase{"ClassesOfColumns",
                      [] { return communities_job(ownership_of("columns", "rank 1", "rank 0", "public")); }}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(PredictionRun, EqualsTheTrainedModelOnOtherData) {
  Job job = GetParam().job();
  const bool classes = job.data.classes > 0;
  job.training.probabilities_to = classes ? std::optional(mpc::To::rank(1)) : std::nullopt;
  std::vector<int> numbers{3};
  if (kSlowdown == 1) numbers = {2, 3, 5};
  for (const int parties : numbers) {
    SCOPED_TRACE(parties);
    const Trained trained(job, parties);
    const GraphData data = other_data(job.whole);
    const Matrix z = trained.plain_outputs(data);
    const std::vector<RunResult> all = trained.predicted(data);
    for (int rank = 0; rank <= parties; ++rank) {
      const RunResult& result = all[static_cast<std::size_t>(rank)];
      EXPECT_EQ(result.predictions.any(), rank == 1) << rank;
      if (rank == parties) continue;  // the dealer
      EXPECT_EQ(result.cost, trained.planned(data, {}, rank)) << rank;
    }
    ASSERT_TRUE(all[1].predictions.values);
    const std::int64_t subjects = data.graphs.empty() ? data.nodes : number_of_graphs(data);
    const std::int64_t nodes = data.graph_nodes();
    const Rows some =
        data.snapshots > 1 ? rows_of_nodes(Rows{1, nodes - 1}, data.snapshots) : Rows{0, 3, subjects - 2, subjects - 1};
    const std::vector<RunResult> of_some = trained.predicted(data, some, parties - 1);
    EXPECT_EQ(of_some[0].cost, trained.planned(data, some, 0));
    EXPECT_LT(of_some[0].cost.dealt_bytes, all[0].cost.dealt_bytes) << "nothing else is computed";
    EXPECT_EQ(of_some[1].nodes, some);
    ASSERT_EQ(of_some[1].predictions.values->rows(), std::ssize(some));
    const Matrix &values = *all[1].predictions.values, &few = *of_some[1].predictions.values;
    if (classes) {
      const Matrix probabilities = softmax_of(z);
      EXPECT_LE((*all[1].predictions.probabilities - probabilities).cwiseAbs().maxCoeff(), 0.02);
      std::int64_t others = 0;
      for (Eigen::Index row = 0; row < z.rows(); ++row) {
        const auto named = static_cast<Eigen::Index>(values(row, 0));
        if (probabilities.row(row).maxCoeff() - probabilities(row, named) > 0.04) ++others;
      }
      EXPECT_EQ(others, 0) << "only nodes between two classes may differ";
    } else {
      EXPECT_LE((values - trained.in_own_unit(z)).cwiseAbs().maxCoeff(), 0.03 * trained.deviation());
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      const double expected = values(some[i], 0), found = few(static_cast<Eigen::Index>(i), 0);
      EXPECT_NEAR(found, expected, classes ? 2 : 0.02 * trained.deviation()) << some[i];
    }
    EXPECT_EQ(*trained.predicted(data)[1].predictions.values, values) << "the same shares again";
    EXPECT_EQ(*trained.predicted(data, some, 0)[1].predictions.values, few) << "whoever asks";
  }
}

TEST(PredictionOfOtherData, MayBeOfNodesThatOneOwnerHasAlone) {
  const Trained trained(sensors_job(ownership_of("rows", "edges", "rows", "public")), 3);
  GraphData data = other_data(sensors_job({}).whole);
  const Ownership split = ownership_of_prediction(ownership_of("rows 0,36,0", "edges 0,36,0", "none", "public"));
  Ownership stated = split;
  stated.features.sizes = stated.edges.sizes = {0, data.nodes, 0};
  const std::vector<RunResult> results = trained.predicted(data, stated, {}, 0);
  const Matrix expected = trained.in_own_unit(trained.plain_outputs(data));
  EXPECT_LE((*results[1].predictions.values - expected).cwiseAbs().maxCoeff(), 0.03 * trained.deviation());
}

TEST(PredictionOfOtherData, NamesTheLikeliestClassesInTheirOrder) {
  Job job = communities_job(ownership_of("rank 0", "public", "rank 1", "public"));
  job.training.named_classes = 3;
  job.training.probabilities_to = mpc::To::rank(1);
  const Trained trained(job, 2);
  const std::vector<RunResult> results = trained.predicted(other_data(job.whole));
  const Matrix &named = *results[1].predictions.values, &probability = *results[1].predictions.probabilities;
  ASSERT_EQ(named.cols(), 3);
  EXPECT_GE(probability.minCoeff(), 0);
  EXPECT_LE(probability.maxCoeff(), 1);
  EXPECT_LE((probability.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
  for (Eigen::Index row = 0; row < named.rows(); ++row) {
    const auto of = [&](Eigen::Index place) { return probability(row, static_cast<Eigen::Index>(named(row, place))); };
    EXPECT_GE(of(0), of(1) - 0.01) << row;
    EXPECT_GE(of(1), of(2) - 0.01) << row;
    EXPECT_EQ(named.row(row).sum(), 3) << "each class once";
  }
}

std::string refusal(Trained& trained, const GraphData& data, const std::optional<Rows>& nodes = {}) {
  try {
    trained.predicted(data, nodes);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(PredictionOfOtherData, IsRefusedIfTheDataDoNotFit) {
  Trained trained(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")), 2);
  const GraphData data = other_data(trained.job().whole);
  EXPECT_THAT(refusal(trained, data, Rows{4, data.nodes}), HasSubstr("is to be predicted, but the data have nodes 0"));
  GraphData narrow = data;
  narrow.x = Matrix(data.x->leftCols(data.x->cols() - 1));
  EXPECT_THAT(refusal(trained, narrow), HasSubstr("in the training: give it the same columns"));
  GraphData far = data;
  (*far.x)(2, 1) *= 1e4;
  EXPECT_THAT(refusal(trained, far), HasSubstr("ranges.features"));
  EXPECT_EQ(refusal(trained, data), "") << "all checkpoints and data are unchanged";
  trained.job().training.model.layers.front().outputs = 9;
  EXPECT_THAT(refusal(trained, data), HasSubstr("nothing to resume from"));
}

// The training learned no weight for a constant column.
TEST(PredictionOfOtherData, TakesAColumnForZeroThatWasZeroInTheTraining) {
  Job job = sensors_job(ownership_of("rows", "edges", "rows", "public"));
  job.whole.x->col(1).setZero();
  Trained trained(job, 2);
  GraphData data = other_data(job.whole);
  data.x->col(1).setZero();
  const Matrix expected = *trained.predicted(data)[1].predictions.values;
  EXPECT_THAT(trained.notes(), testing::IsEmpty());
  data.x->col(1).setConstant(-7);
  const Matrix seen = *trained.predicted(data)[1].predictions.values;
  EXPECT_LE((seen - expected).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_THAT(trained.notes(), testing::ElementsAre(HasSubstr("x, column 1: zero in all of the training's data")));
}

// However far: beyond 2^12 deviations a product wraps, and could look like a value in its range.
TEST(PredictionOfOtherData, IsRefusedOnSharesIfItLeavesARange) {
  Trained trained(sensors_job(ownership_of("rows", "edges", "rows", "public")), 2);
  const GraphData data = other_data(trained.job().whole);
  for (const double factor : {1e3, 2e3, 4e3, 1e4, 3e4}) {
    GraphData far = data;
    (*far.x)(2, 1) *= factor;
    EXPECT_THAT(refusal(trained, far), AnyOf(HasSubstr("nothing is revealed: the data are unlike the training's data"),
                                             HasSubstr("a thousand times as large")))
        << factor;
  }
  EXPECT_EQ(refusal(trained, data), "");
}

}  // namespace
}  // namespace tacit::gnn
