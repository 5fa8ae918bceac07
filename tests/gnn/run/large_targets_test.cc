// A training on targets of hundreds, in narrow rings: the loss and the metrics are those of the twin, since their sums have room for
// all values within the declared ranges.
#include <gtest/gtest.h>

#include "gnn/arithmetic/default_ranges.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

struct LargeCase {
  const char* name;
  mpc::Format top;
  std::int64_t batch;
};

class LargeTargets : public testing::TestWithParam<LargeCase> {};

INSTANTIATE_TEST_SUITE_P(Rings, LargeTargets,
                         testing::Values(LargeCase{"Of48Bits", {48, 12}, 0},
                                         LargeCase{"Of48BitsInBatches", {48, 12}, 20},
                                         LargeCase{"Of56Bits", {56, 13}, 0},
                                         LargeCase{"Of64BitsInBatches", {64, 13}, 20}),
                         [](const auto& tested) { return tested.param.name; });

Job job_of_large_targets(const LargeCase& of) {
  Job job = sensors_job(ownership_of("columns", "public", "rank 0", "public"));
  Matrix& y = *job.whole.targets;
  y = (y.array() - y.mean()) / y.cwiseAbs().maxCoeff() * 200 + 350;
  job.data.standardise_targets = false;
  TrainingPlan& training = job.training;
  training.top = of.top;
  training.batch = of.batch;
  training.ranges = kDefaultRanges;
  training.ranges.weight_gradients = 1 << 18;
  training.rate.initial = 1e-4;
  training.epochs = 3;
  training.evaluate_every = 1;
  training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest},
                      {Metric::kMeanAbsoluteError, Part::kTrain},
                      {Metric::kLoss, Part::kTest}};
  return job;
}

TEST_P(LargeTargets, HaveTheLossAndTheMetricsOfTheTwin) {
  const Job job = job_of_large_targets(GetParam());
  const GraphData& whole = job.whole;
  PlainTrainer twin(job.training,
                    {standardised(*whole.x), *whole.targets, edges_between_rows(whole), rows_where(whole.train_mask),
                     rows_where(whole.val_mask), rows_where(whole.test_mask)});
  std::vector<double> losses, readings;
  twin.run([&](const EpochEvent& event) {
    losses.push_back(*event.loss);
    if (!event.last) return;
    for (const EpochEvent::Reading& reading : event.readings) readings.push_back(reading.value);
  });
  EXPECT_GT(losses.front(), 50'000);
  for (const int parties : {2, 3}) {
    SCOPED_TRACE(parties);
    const Outcome outcome = outcome_of(job, parties);
    ASSERT_EQ(outcome.losses.size(), losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(outcome.losses[i], losses[i], 2e-3 * losses[i]);
    const std::vector<EpochEvent::Reading>& seen = outcome.ranks[0].readings;
    ASSERT_EQ(seen.size(), readings.size());
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_NEAR(seen[i].value, readings[i], 2e-3 * readings[i]) << i;
  }
}

}  // namespace
}  // namespace tacit::gnn
