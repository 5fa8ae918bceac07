// A model that is revealed with its scaling folded computes the revealed predictions from features and
// gives targets in their own units.
#include "gnn/train/folded_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/prediction_run.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

using Parameters = std::map<std::string, Matrix>;

// The outputs of the revealed parameters, by the formulas of folded_model.h alone.
Matrix outputs(const ModelSpec& model, const Parameters& parameters, const GraphData& graph) {
  Matrix z = graph.sparse_x ? graph.sparse_x->dense() : *graph.x;
  std::vector<Matrix> before;  // inputs of the layers with weights
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (layer.kind == LayerSpec::Kind::kRelu) z = z.cwiseMax(0);
    if (!layer.has_weights()) continue;
    before.push_back(z);
    if (layer.jump) {
      z.resize(z.rows(), 0);
      for (std::size_t k = 1; k < before.size(); ++k) {
        const Matrix left = z;
        z.resize(left.rows(), left.cols() + before[k].cols());
        z << left, before[k];
      }
    }
    const auto there = [&](const std::string& what) {
      return parameters.contains(fmt::format("layer {} {}", i, what));
    };
    const auto of = [&](const std::string& what) { return parameters.at(fmt::format("layer {} {}", i, what)); };
    const auto product = [&](const std::string& weight, const std::string& shift) {
      Matrix made = z * of(weight);
      if (there(shift)) made = made.rowwise() - of(shift).row(0);
      return made;
    };
    Matrix out = product("weight", "shift");
    if (layer.kind == LayerSpec::Kind::kGraphConvolution) {
      out = normalised(*graph.edges, graph.nodes, Normalisation::kSymmetric).times(out);
    }
    if (layer.kind == LayerSpec::Kind::kSumAggregation) {
      out = normalised(*graph.edges, graph.nodes, Normalisation::kSum).times(out) + layer.epsilon * out;
    }
    if (layer.kind == LayerSpec::Kind::kMeanAggregation) {
      out += normalised(*graph.edges, graph.nodes, Normalisation::kMean)
                 .times(product("neighbour weight", "neighbour shift"));
    }
    z = there("bias") ? Matrix(out.rowwise() + of("bias").row(0)) : out;
  }
  return z;
}

struct FoldedRun {
  Parameters model;  // as rank 0 learns it
  Matrix predictions;
  mpc::Cost cost;  // at rank 0
};

FoldedRun run(const Job& job, int parties, const std::function<StoreOptions(int)>& store = {}, bool predict = false) {
  FoldedRun run;
  net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    PredictionOptions options;
    if (own && store) options.checkpoints = store(mesh.rank());
    const GraphData* part = own ? &*own : nullptr;
    const RunResult result = predict ? run_prediction(mesh, job.data, job.training, part, options)
                                     : run_training(mesh, job.data, job.training, part, options);
    if (mesh.rank() == 0) {
      for (const NamedMatrix& one : result.model) run.model[one.name] = one.values;
      run.cost = result.cost;
    }
    if (mesh.rank() == 1) run.predictions = *result.predictions.values;
  });
  return run;
}

struct FoldedCase {
  const char* name;
  Job (*job)();
};

Job job_with(Job job, LayerSpec::Kind kind, bool bias = true) {
  for (LayerSpec& layer : job.training.model.layers) {
    if (layer.has_weights()) layer.kind = kind;
    if (layer.has_weights()) layer.bias = bias;
  }
  return job;
}

class FoldedModel : public testing::TestWithParam<FoldedCase> {};

INSTANTIATE_TEST_SUITE_P(
    Jobs, FoldedModel,
    testing::Values(
        FoldedCase{"ColumnsAndASecretGraph",
                   [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        FoldedCase{"RowsOfOwners", [] { return sensors_job(ownership_of("rows", "edges", "rows", "public")); }},
        FoldedCase{"Public", [] { return sensors_job(ownership_of("public", "public", "public", "public")); }},
        FoldedCase{"MeanAggregation",
                   [] {
                     return job_with(sensors_job(ownership_of("rows", "public", "rank 1", "public")),
                                     LayerSpec::Kind::kMeanAggregation);
                   }},
        FoldedCase{"SumAggregation",
                   [] {
                     Job job = sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"));
                     job.training.model.layers.front().kind = LayerSpec::Kind::kSumAggregation;
                     job.training.model.layers.front().epsilon = 0.25;
                     job.training.ranges.activations = 1024;
                     job.training.ranges.gradients = 1024;
                     job.training.ranges.weight_gradients = 16384;
                     job.training.rate.initial = 0.01;
                     return job;
                   }},
        FoldedCase{"Jump",
                   [] {
                     Job job = sensors_job(ownership_of("columns", "public", "rank 1", "public"));
                     job.training.model.layers = {{.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 4},
                                                  {.kind = LayerSpec::Kind::kRelu},
                                                  {.kind = LayerSpec::Kind::kMeanAggregation, .outputs = 3},
                                                  {.kind = LayerSpec::Kind::kRelu},
                                                  {.kind = LayerSpec::Kind::kDense, .outputs = 1, .jump = true}};
                     return job;
                   }},
        FoldedCase{"WithoutBiases",
                   [] {
                     return job_with(sensors_job(ownership_of("columns", "public", "rank 1", "public")),
                                     LayerSpec::Kind::kMeanAggregation, false);
                   }},
        FoldedCase{"OneLayer",
                   [] {
                     Job job = rows_job(ownership_of("columns", "none", "rank 0", "public"));
                     job.training.model.layers = {{.kind = LayerSpec::Kind::kDense, .outputs = 1}};
                     return job;
                   }},
        FoldedCase{"OneLayerOfAGraph",
                   [] {
                     Job job = sensors_job(ownership_of("columns", "rank 0", "rows", "public"));
                     job.training.model.layers = {{.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 1}};
                     return job;
                   }},
        FoldedCase{"OneLayerWithAMeanFarFromZero",  // as of dates such as 20260128
                   [] {
                     Job job = rows_job(ownership_of("columns", "none", "rank 0", "public"));
                     job.training.model.layers = {{.kind = LayerSpec::Kind::kDense, .outputs = 1}};
                     job.whole.x->col(0).array() += 1e5 * deviations(*job.whole.x)(0, 0);
                     return job;
                   }},
        FoldedCase{"UnitsFarFromOne",
                   [] {
                     Job job = sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"));
                     job.whole.x->col(0) *= 1e9;
                     job.whole.x->col(1) *= 1e-9;
                     job.whole.x->col(2).array() += 1e3 * deviations(*job.whole.x)(0, 2);
                     *job.whole.targets *= 1e6;
                     return job;
                   }},
        FoldedCase{"RowsInUnitsFarFromOne",
                   [] {
                     Job job = sensors_job(ownership_of("rows", "public", "rows", "public"));
                     job.whole.x->col(0) *= 1e9;
                     job.whole.x->col(1) *= 1e-9;
                     *job.whole.targets *= 1e-6;
                     return job;
                   }},
        FoldedCase{"RowsWithConstantColumns",
                   [] {
                     Job job = sensors_job(ownership_of("rows", "public", "rows", "public"));
                     job.whole.x->col(0).setZero();
                     job.whole.x->col(1).setConstant(7);
                     for (Eigen::Index row = 0; row < job.whole.x->rows(); ++row) (*job.whole.x)(row, 2) = row % 2 == 0;
                     return job;
                   }},
        FoldedCase{"Classes",
                   [] {
                     Job job = communities_job(ownership_of("columns", "public", "rank 0", "public"));
                     job.data.features = FeatureScaling::kStandardise;
                     job.training.ranges.features = 64;
                     job.training.rate.initial = 0.02;
                     return job;
                   }}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(FoldedModel, ComputesTheRevealedPredictions) {
  Job job = GetParam().job();
  job.training.fold_scaling = true;
  job.training.epochs = 10;
  ASSERT_TRUE(folds(job.data, job.training));
  std::vector<int> numbers{3};
  if (kSlowdown == 1) numbers = {2, 3, 5};
  for (const int parties : numbers) {
    SCOPED_TRACE(parties);
    const FoldedRun revealed = run(job, parties);
    const Matrix z = outputs(job.training.model, revealed.model, job.whole);
    if (job.data.classes == 0) {
      const double deviation = deviations(*job.whole.targets)(0, 0);
      EXPECT_LE((z - revealed.predictions).cwiseAbs().maxCoeff(), deviation / 64);
    } else {
      std::int64_t others = 0;
      for (Eigen::Index row = 0; row < z.rows(); ++row) {
        const auto named = static_cast<Eigen::Index>(revealed.predictions(row, 0));
        if (z.row(row).maxCoeff() - z(row, named) > 0.02) ++others;
      }
      EXPECT_EQ(others, 0);
    }
    std::vector<GraphData> parts;
    for (int rank = 0; rank < parties; ++rank) {
      parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
    }
    const PlannedRun planned = planned_run(job.data, job.training, agreement_of(job.data, job.training, parts),
                                           {parties, 0, net::AllReducePlan::unmeasured(parties)});
    EXPECT_EQ(planned.total.cost, revealed.cost);
  }
}

TEST(FoldedModelOfACheckpoint, IsTheSameWheneverItIsRevealed) {
  const SampleFolder folder;
  Job job = sensors_job(ownership_of("rows", "edges", "rows", "public"));
  job.training.fold_scaling = true;
  job.training.epochs = job.training.checkpoint_every = 5;
  const auto store = [&](int rank) { return folder.options(rank); };
  const FoldedRun trained = run(job, 2, store);
  EXPECT_EQ(run(job, 2, store).model, trained.model);
  EXPECT_EQ(run(job, 2, store, true).model, trained.model);
}

TEST(FoldedModelOfAPlan, IsOneWhoseEndsAllowIt) {
  Job job = sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"));
  job.training.fold_scaling = true;
  EXPECT_TRUE(folds(job.data, job.training));
  job.data.cut = 3;
  EXPECT_FALSE(folds(job.data, job.training));
  job.data.cut.reset();
  job.training.model.layers.front().residual = true;
  EXPECT_FALSE(folds(job.data, job.training));
  job.training.model.layers.front().residual = false;
  job.training.top = {56, 13};
  EXPECT_FALSE(folds(job.data, job.training));
  job.training.top = {64, 13};
  job.training.model.layers.insert(job.training.model.layers.begin(), {.kind = LayerSpec::Kind::kDropout, .rate = 0.5});
  EXPECT_TRUE(folds(job.data, job.training));
  job.training.model.layers.front() = {.kind = LayerSpec::Kind::kRelu};
  EXPECT_FALSE(folds(job.data, job.training));
}

}  // namespace
}  // namespace tacit::gnn
