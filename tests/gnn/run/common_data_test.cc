// One masked form of the data serves training steps and evaluations: the first evaluation opens no data, and results equal the
// results of a holder of all data.
#include "gnn/train/common_data.h"

#include <gtest/gtest.h>

#include "bench/data/sensors.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

struct CommonDataCase {
  const char* name;
  Job (*job)(bool alone);  // alone: a single party has all data
};

Ownership owners(bool alone) {
  return alone ? ownership_of("rank 0", "public", "rank 0") : ownership_of("rows", "public", "rows");
}

// The job with a third of its labels: a step then reads a part of the nodes.
Job few_labels(Job job) {
  NodeMask& train = *job.whole.train_mask;
  std::int64_t labelled = 0;
  for (std::size_t node = 0; node < train.size(); ++node) train[node] = train[node] && ++labelled % 3 == 0;
  return job;
}

Job of_layers(bool alone, double rate, std::vector<LayerSpec> layers) {
  Job job = few_labels(communities_job(owners(alone)));
  job.training.model.layers = std::move(layers);
  job.training.rate.initial = rate;
  job.training.epochs = 16;
  return job;
}

Job of_dense_graph(bool alone) {
  SensorsOptions options;
  options.stations = 90;
  options.neighbours = 30;
  Job job = sensors_job(owners(alone));
  job.whole = make_sensors(options);
  return job;
}

class CommonData : public testing::TestWithParam<CommonDataCase> {};

INSTANTIATE_TEST_SUITE_P(
    Jobs, CommonData,
    testing::Values(
        CommonDataCase{"Convolutions", [](bool alone) { return few_labels(communities_job(owners(alone))); }},
        CommonDataCase{"Regression", [](bool alone) { return few_labels(sensors_job(owners(alone))); }},
        CommonDataCase{"Sums",
                       [](bool alone) {
                         return of_layers(alone, 0.1,
                                          {{.kind = Kind::kSumAggregation, .outputs = 8},
                                           {.kind = Kind::kRelu},
                                           {.kind = Kind::kGraphConvolution, .outputs = 3}});
                       }},
        CommonDataCase{"Means",
                       [](bool alone) {
                         return of_layers(alone, 0.1,
                                          {{.kind = Kind::kMeanAggregation, .outputs = 8},
                                           {.kind = Kind::kRelu},
                                           {.kind = Kind::kMeanAggregation, .outputs = 3}});
                       }},
        CommonDataCase{"Propagation",
                       [](bool alone) {
                         return of_layers(alone, 0.5,
                                          {{.kind = Kind::kPropagation, .steps = 2, .restart = 0.1},
                                           {.kind = Kind::kDense, .outputs = 3}});
                       }},
        CommonDataCase{
            "DenseThenPropagation",
            [](bool alone) {
              return of_layers(alone, 0.5, {{.kind = Kind::kDense, .outputs = 3}, {.kind = Kind::kPropagation}});
            }},
        CommonDataCase{"DroppedData",
                       [](bool alone) {
                         return of_layers(alone, 0.25,
                                          {{.kind = Kind::kDropout, .rate = 0.5},
                                           {.kind = Kind::kGraphConvolution, .outputs = 8},
                                           {.kind = Kind::kRelu},
                                           {.kind = Kind::kGraphConvolution, .outputs = 3}});
                       }},
        CommonDataCase{"ABatchThatReadsAllNodes", of_dense_graph},
        CommonDataCase{"BatchesOfAGraph",
                       [](bool alone) {
                         Job job = few_labels(sensors_job(owners(alone)));
                         job.training.batch = 4;
                         job.training.rate.initial = 0.02;
                         return job;
                       }},
        CommonDataCase{"Graphs", [](bool alone) { return pooled_job(owners(alone)); }},
        CommonDataCase{"GraphsInBatches",
                       [](bool alone) {
                         Job job = pooled_job(owners(alone));
                         job.training.batch = 6;
                         job.training.rate.initial = 0.02;
                         return job;
                       }},
        CommonDataCase{"Snapshots", [](bool alone) { return snapshots_job(owners(alone)); }},
        CommonDataCase{"RowsInBatches", [](bool alone) { return rows_job(owners(alone)); }},
        CommonDataCase{"ClassesOfRowsInBatches", [](bool alone) { return classes_of_rows_job(owners(alone)); }}),
    [](const auto& tested) { return tested.param.name; });

Job job_of(bool alone) {
  Job job = testing::TestWithParam<CommonDataCase>::GetParam().job(alone);
  if (!job.whole.edges) job.data.ownership.edges = {};
  return job;
}

DataAgreement agreement_of_parts(const Job& job, int parties) {
  std::vector<GraphData> parts;
  for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
  return agreement_of(job.data, job.training, parts);
}

// At rank 0, of each epoch.
std::vector<mpc::Cost> costs_of_epochs(const Job& job, int parties) {
  std::vector<mpc::Cost> costs;
  net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    RunOptions options;
    options.on_epoch = [&](const EpochEvent& event) {
      if (mesh.rank() == 0) costs.push_back(event.cost);
    };
    run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  return costs;
}

TEST_P(CommonData, IsNotOpenedAgainByTheFirstEvaluation) {
  constexpr int kParties = 3;
  Job job = job_of(false);
  job.training.epochs = 8;
  job.training.evaluate_every = 3;
  const std::vector<mpc::Cost> costs = costs_of_epochs(job, kParties);
  ASSERT_EQ(costs.size(), 8u);
  const DataAgreement agreement = agreement_of_parts(job, kParties);
  const std::int64_t columns = std::max<std::int64_t>(job.data.classes, 1), tested = agreement.counts.test;
  // A metric masks its rows of y, and the unit of the targets.
  EXPECT_LE(costs[2].bytes - costs[5].bytes, (kParties - 1) * (tested * columns + 2) * 8);
  EXPECT_LE(costs[2].rounds - costs[5].rounds, 1);
  const PlannedRun planned =
      planned_run(job.data, job.training, agreement, {kParties, 0, *plan_of(job.training.openings, kParties)});
  ASSERT_EQ(planned.epochs.size(), costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) EXPECT_EQ(planned.epochs[i].cost, costs[i]) << "epoch " << i + 1;
}

TEST_P(CommonData, GivesTheResultsOfAHolderOfAllData) {
  for (const int parties : {1, 2, 3, 5}) {
    SCOPED_TRACE(parties);
    Job job = job_of(parties == 1);
    if (job.data.classes == 0) job.training.epochs = 10;
    job.training.predictions_to = mpc::To::everyone();
    Outcome outcome = outcome_of(job, parties);
    if (parties == 1) outcome.ranks[1] = outcome.ranks[0];
    const Twin twin = twin_of(job);
    EXPECT_GT(twin.predictions.maxCoeff(), twin.predictions.minCoeff()) << "rows in another order would go unnoticed";
    expect_like(outcome, twin, job.data.classes > 0, 50);
  }
}

// Otherwise nothing above is tested.
TEST(CommonDataJobs, HaveStepsThatReadFewerNodesThanAnEvaluationExceptTheDenseOne) {
  const Job few = few_labels(communities_job(owners(false)));
  const DataAgreement agreement = agreement_of_parts(few, 2);
  EXPECT_LT(agreement.training_sizes[0][1], agreement.whole_sizes[1]);
  const DataAgreement dense = agreement_of_parts(of_dense_graph(false), 2);
  EXPECT_EQ(dense.training_sizes[0][1], dense.whole_sizes[1]);
  EXPECT_LT(dense.training_sizes[0].back(), dense.whole_sizes.back());
}

}  // namespace
}  // namespace tacit::gnn
