// Runs without a dealer cost what their plans say, and tell no more of masks than a plan may.
#include <gmock/gmock.h>

#include "gnn/run/bounded_leakage.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_epochs.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/planned_service.h"
#include "mpc/ot/leakage_units.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/planned_job.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

Job with(Correlations source, Job job) {
  job.training.correlations = source;
  return job;
}

Job sensors() { return sensors_job(ownership_of("columns", "public", "rank 0", "public")); }

struct PairwiseCase {
  const char* name;
  Job (*job)();
  int parties = 2;
  Correlations source = Correlations::kPairwise;
};

class PairwiseRunOf : public testing::TestWithParam<PairwiseCase> {};

INSTANTIATE_TEST_SUITE_P(
    Jobs, PairwiseRunOf,
    testing::Values(
        PairwiseCase{"ColumnsAndAPrivateGraph",
                     [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        PairwiseCase{"RowsAndSecretEdgesOfThree",
                     [] { return sensors_job(ownership_of("rows", "edges", "rows", "public")); }, 3},
        PairwiseCase{"ColumnsAndAPrivateGraphBySoftSpoken",
                     [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }, 2,
                     Correlations::kPairwiseSoftSpoken},
        PairwiseCase{"ASparseGraph",
                     [] { return sparse(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public"))); }},
        PairwiseCase{"ClassesOfAPublicGraph",
                     [] { return communities_job(ownership_of("columns", "public", "rank 0", "public")); }},
        PairwiseCase{"GraphsOfRows", [] { return pooled_job(ownership_of("rows", "edges", "rows", "public")); }, 3}),
    [](const auto& tested) { return tested.param.name; });

// Every rank's rounds, bytes and messages are the planned ones, to the byte, and so is the part that makes correlations.
TEST_P(PairwiseRunOf, CostsWhatItsPlanSays) {
  const int parties = GetParam().parties;
  Job job = with(GetParam().source, with_all_reveals(GetParam().job()));
  job.training.epochs = 3;
  const Outcome outcome = outcome_of(job, parties);
  const net::AllReducePlan openings = *plan_of(job.training.openings, parties);
  for (int rank = 0; rank < parties; ++rank) {
    const PlannedRun plan = planned_run(job.data, job.training, agreement_for(job, parties), {parties, rank, openings});
    const RunResult& run = outcome.ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(run.cost, plan.total.cost) << "rank " << rank;
    expect_same_costs(run.profile, plan.profile, rank);
    EXPECT_EQ(plan.total.cost.dealt_bytes, 0);
    EXPECT_GT(plan.total.cost.made_bytes, 0);
    EXPECT_GT(plan.total.cost.made_rounds, 0);
    EXPECT_GT(plan.total.cost.made_leakage, 0);
    EXPECT_EQ(plan.total.cost.made_leakage,
              planned_leakage(job.data, job.training, agreement_for(job, parties), parties));
    EXPECT_LE(plan.total.cost.made_bytes, plan.total.cost.bytes);
    EXPECT_LT(plan.total.cost.made_rounds, plan.total.cost.rounds);
    EXPECT_GT(plan.making.memory, 0);
    mpc::Cost sum = plan.sharing.cost + plan.left_out.cost.cost + plan.results.cost;
    for (const PlannedRun::Step& epoch : plan.epochs) {
      EXPECT_LT(epoch.cost.made_rounds, epoch.cost.rounds);
      EXPECT_LT(epoch.cost.made_bytes, epoch.cost.bytes);
      sum += epoch.cost;
    }
    // Each step's part of the batches is rounded up.
    const mpc::Cost beyond = sum - plan.total.cost;
    const auto steps = std::ssize(plan.epochs) + 2;
    for (const std::int64_t more :
         {beyond.rounds, beyond.bytes, beyond.messages, beyond.made_rounds, beyond.made_bytes}) {
      EXPECT_GE(more, 0);
      EXPECT_LE(more, steps);
    }
    EXPECT_EQ(beyond.made_leakage, 0);
  }
}

TEST(PairwiseCost, OfMoreEpochsThanAPlanCanCountHasTheLargestLeakage) {
  SessionAccount epochs;
  epochs.step.cost.made_leakage = 7 * mpc::kMostLeakage;
  EXPECT_EQ(times(epochs, 7, 3).step.cost.made_leakage, 3 * mpc::kMostLeakage);
  EXPECT_EQ(times(epochs, 7, std::int64_t{1} << 20).step.cost.made_leakage, std::numeric_limits<std::int64_t>::max());
}

TEST(PairwiseCost, OfAPredictionIsRefusedBeyondTheBoundAlone) {
  const Job job = with(Correlations::kPairwise, sensors());
  expect_bounded_leakage(job.training, mpc::kMostLeakage);
  EXPECT_THROW(expect_bounded_leakage(job.training, mpc::kMostLeakage + 1), ConfigError);
}

// So the number of requests to a service has no limit.
TEST(PairwiseCost, OfAServiceMakesNothingForARequest) {
  for (Job job : {sensors(), communities_job(ownership_of("columns", "public", "rank 0", "public"))}) {
    job.training.correlations = Correlations::kPairwise;
    job.training.predictions_to = mpc::To::everyone();
    job.training.model_to.reset();
    std::vector<GraphData> parts;
    for (int rank = 0; rank < 2; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, 2));
    const PlannedService plan =
        planned_service(job.data, job.training, prediction_agreement_of(job.data, job.training, parts, {}),
                        {2, 0, net::AllReducePlan::unmeasured(2)}, 1, 3);
    EXPECT_GT(plan.ready.cost.made_leakage, 0);
    EXPECT_EQ(plan.request.cost.made_leakage, 0);
    EXPECT_EQ(plan.request.cost.made_rounds, 0);
    EXPECT_GT(plan.request.cost.rounds, 0);
  }
}

}  // namespace
}  // namespace tacit::gnn
