// Runs without a dealer: they train like the twin, read checkpoints of runs with a dealer, and refuse a world that does not fit the
// plan's source of correlations. pairwise_cost_test.cc compares their costs with plans.
#include <gmock/gmock.h>

#include "gnn/run/bounded_leakage.h"
#include "mpc/ot/leakage_units.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/planned_job.h"
#include "tests/gnn/run/run_with_checkpoints.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

Job pairwise(Job job) {
  job.training.correlations = Correlations::kPairwise;
  return job;
}

using PairwiseRun = RunWithCheckpoints;

TEST_F(PairwiseRun, TrainsLikeTheTwin) {
  job_.training.checkpoint_every = 0;
  job_.training.epochs = 8;
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
  job_.training.epochs = 10;
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
