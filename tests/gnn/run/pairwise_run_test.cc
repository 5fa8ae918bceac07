// Runs without a dealer: they train like the twin, state and plan their cost, read checkpoints of runs with a dealer, and refuse a
// world that does not fit the plan's source of correlations.
#include <gmock/gmock.h>

#include "gnn/run/bounded_leakage.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_epochs.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/planned_service.h"
#include "mpc/ot/leakage_units.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/planned_job.h"
#include "tests/gnn/run/run_with_checkpoints.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

Job pairwise(Job job, Correlations source = Correlations::kPairwise) {
  job.training.correlations = source;
  return job;
}

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
  Job job = pairwise(with_all_reveals(GetParam().job()), GetParam().source);
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

using PairwiseRun = RunWithCheckpoints;

TEST_F(PairwiseRun, TrainsLikeTheTwin) {
  job_.training.checkpoint_every = 0;
  for (const int parties : {2, 3}) {
    expect_like(outcome_of(pairwise(job_), parties), twin_of(job_), false, 0);
  }
}

// The maker waits for each decision, and goes on as the training does. A training that has stopped makes nothing but its results.
TEST_F(PairwiseRun, StopsEarlyWhereATrainingWithADealerDoes) {
  job_.training.epochs = 200;
  job_.training.stopping = EarlyStopping{.judged = {.metric = {}, .patience = 2, .least_improvement = 0.05}};
  Job with = job_;
  with.training.checkpoint_every = 0;
  const Outcome dealt = outcome_of(with, 2);
  ASSERT_LT(dealt.losses.size(), 100);
  const Outcome stopped = outcome_of(pairwise(job_), 2, options(IfNone::kStartAfresh));
  EXPECT_EQ(stopped.losses.size(), dealt.losses.size());
  const Outcome resumed = outcome_of(pairwise(job_), 2, options(IfNone::kRefuse));
  EXPECT_TRUE(resumed.losses.empty());
  EXPECT_EQ(resumed.ranks[0].model.front().values, stopped.ranks[0].model.front().values);
}

// Shares do not depend on the source.
TEST_F(PairwiseRun, GoesOnFromACheckpointThatWasMadeWithADealerAndTheOtherWayRound) {
  Job first = job_;
  first.training.epochs = 10;
  Job second = pairwise(job_);
  second.training.epochs = 20;
  std::vector<double> losses;
  for (const Job* job : {&first, &second, &job_}) {
    const Outcome outcome = outcome_of(*job, 2, options(job == &first ? IfNone::kStartAfresh : IfNone::kRefuse));
    EXPECT_EQ(outcome.losses.size(), 10);
    losses.insert(losses.end(), outcome.losses.begin(), outcome.losses.end());
    if (job == &job_) expect_like({losses, {}, outcome.ranks}, twin_of(job_), false, 0);
  }
}

TEST_F(PairwiseRun, PredictsWithAModelThatWasTrainedWithADealerAndTheOtherWayRound) {
  const Outcome trained = outcome_of(job_, 2, options(IfNone::kStartAfresh));
  const Outcome predicted = outcome_of(pairwise(job_), 2, options(IfNone::kRefuse), predicted_by);
  EXPECT_EQ(predicted.ranks[0].model.at(0).values, trained.ranks[0].model.at(0).values);
  const Matrix difference = *predicted.ranks[1].predictions.values - *trained.ranks[1].predictions.values;
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 0.1);
  const SampleFolder other;
  const auto there = [&](IfNone if_none) {
    return [&, if_none](int rank) {
      RunOptions made;
      if (rank < 2) made.checkpoints = other.options(rank);
      made.if_none = if_none;
      return made;
    };
  };
  const Outcome without = outcome_of(pairwise(job_), 2, there(IfNone::kStartAfresh));
  const Outcome with = outcome_of(job_, 2, there(IfNone::kRefuse), predicted_by);
  EXPECT_EQ(with.ranks[0].model.at(0).values, without.ranks[0].model.at(0).values);
}

// The error of each rank of a world with so many helpers.
std::vector<std::string> refusals(const Job& job, int helpers, const std::function<void(int, Job&)>& change = {}) {
  std::vector<std::string> said;
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, helpers), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
    Job its = job;
    if (change) change(mesh.rank(), its);
    run_training(mesh, its.data, its.training, own ? &*own : nullptr, {});
  });
  for (const std::exception_ptr& error : errors) {
    try {
      if (error) std::rethrow_exception(error);
      said.emplace_back("accepted");
    } catch (const ConfigError& refused) {
      said.emplace_back(refused.what());
    }
  }
  return said;
}

TEST_F(PairwiseRun, RefusesAWorldThatDoesNotFitTheSource) {
  job_.training.checkpoint_every = 0;
  EXPECT_THAT(refusals(pairwise(job_), 1),
              testing::AllOf(testing::SizeIs(3), testing::Each(HasSubstr("correlations = \"pairwise\""))));
  EXPECT_THAT(refusals(job_, 0), testing::AllOf(testing::SizeIs(2), testing::Each(HasSubstr("has no dealer"))));
  Job none = job_;
  none.training.correlations = Correlations::kNone;
  EXPECT_THAT(refusals(none, 0), testing::Each(HasSubstr("take \"dealer\" or \"pairwise\"")));
}

TEST_F(PairwiseRun, IsRefusedBeforeAnythingIsSharedIfItsEpochsTellTooMuchOfMasks) {
  Job job = pairwise(sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")));
  job.training.checkpoint_every = 0;
  job.training.epochs = 1'000'000'000;
  const DataAgreement sizes = agreement_for(job, 2);
  ASSERT_GT(planned_leakage(job.data, job.training, sizes, 2), mpc::kMostLeakage);
  const std::vector<std::string> said = refusals(job, 0);
  ASSERT_THAT(said, testing::AllOf(testing::SizeIs(2), testing::Each(HasSubstr("Set training.epochs = "))));
  EXPECT_EQ(said[0], said[1]);
  EXPECT_THAT(said[0], testing::AllOf(HasSubstr("1000000000 epochs"), HasSubstr("2^-40"), HasSubstr("ring.bits = "),
                                      HasSubstr("sessions of one job add up"), HasSubstr("\"dealer\"")));
  const std::string_view named = "training.epochs = ";
  Job fits = job;
  fits.training.epochs = std::stoll(said[0].substr(said[0].find(named) + named.size()));
  const std::int64_t leakage = planned_leakage(fits.data, fits.training, sizes, 2);
  EXPECT_LE(leakage, mpc::kMostLeakage);
  EXPECT_GT(leakage, mpc::kMostLeakage - mpc::kMostLeakage / 8);
  EXPECT_EQ(excess_leakage(fits.data, fits.training, sizes, 2, leakage), "");
  Job dealt = job;
  dealt.training.correlations = Correlations::kDealer;
  expect_bounded_leakage(dealt.data, dealt.training, sizes, 2);
}

TEST_F(PairwiseRun, OfMoreEpochsThanAPlanCanCountHasTheLargestLeakage) {
  SessionAccount epochs;
  epochs.step.cost.made_leakage = 7 * mpc::kMostLeakage;
  EXPECT_EQ(times(epochs, 7, 3).step.cost.made_leakage, 3 * mpc::kMostLeakage);
  EXPECT_EQ(times(epochs, 7, std::int64_t{1} << 20).step.cost.made_leakage, std::numeric_limits<std::int64_t>::max());
}

TEST_F(PairwiseRun, OfAPredictionIsRefusedBeyondTheBoundAlone) {
  const Job job = pairwise(job_);
  expect_bounded_leakage(job.training, mpc::kMostLeakage);
  EXPECT_THROW(expect_bounded_leakage(job.training, mpc::kMostLeakage + 1), ConfigError);
}

// So the number of requests to a service has no limit.
TEST_F(PairwiseRun, OfAServiceMakesNothingForARequest) {
  for (Job job : {job_, communities_job(ownership_of("columns", "public", "rank 0", "public"))}) {
    job = pairwise(job);
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

TEST_F(PairwiseRun, RefusesRanksThatSayDifferentSources) {
  job_.training.checkpoint_every = 0;
  const auto change = [](int rank, Job& job) {
    if (rank == 1) job.training.correlations = Correlations::kPairwise;
  };
  EXPECT_THAT(refusals(job_, 0, change),
              testing::Each(HasSubstr("ranks 0 and 1 differ in correlations (dealer and pairwise)")));
}

}  // namespace
}  // namespace tacit::gnn
