#include "launcher/job/job.h"

#include <gmock/gmock.h>

#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

TEST(Plans, HaveTheSettingsOfTheJob) {
  const Job plans = read(small_job_and(R"(seed = 9
evaluate_every = 4
optimiser = { rate = 0.25, momentum = 0.5, weight_decay = 0.125 }
[ring]
bits = 56
fraction_bits = 12
[ranges]
weights = 7
[reveal]
loss = 1
[[reveal.metric]]
what = "mae"
to = 2
[checkpoints]
every = 6
)"))
                        .job;
  EXPECT_EQ(plans.data.ownership.edges.rank, 1);
  EXPECT_TRUE(plans.data.private_graph());
  EXPECT_EQ(plans.data.features, gnn::FeatureScaling::kStandardise);
  EXPECT_TRUE(plans.data.standardise_targets);
  const gnn::TrainingPlan& training = plans.training;
  EXPECT_EQ(training.model.layers.size(), 3u);
  EXPECT_EQ(training.top, (mpc::Format{56, 12}));
  EXPECT_EQ(training.ranges.weights, 7);
  EXPECT_EQ(std::get<gnn::SgdOptions>(training.optimiser).momentum, 0.5);
  EXPECT_EQ(std::get<gnn::SgdOptions>(training.optimiser).weight_decay, 0.125);
  EXPECT_EQ(training.rate.initial, 0.25);
  EXPECT_EQ(training.epochs, 20);
  EXPECT_EQ(training.seed, 9u);
  EXPECT_EQ(training.evaluate_every, 4);
  EXPECT_EQ(training.checkpoint_every, 6);
  EXPECT_EQ(training.loss_to, mpc::To::rank(1));
  ASSERT_EQ(training.metrics.size(), 1u);
  EXPECT_EQ(training.metrics[0].to, mpc::To::rank(2));
}

TEST(Plans, OfAdamHaveItsOptions) {
  const Job plans = read(small_job_and("optimiser = { kind = \"adam\", beta2 = 0.99 }")).job;
  ASSERT_TRUE(std::holds_alternative<gnn::AdamOptions>(plans.training.optimiser));
  EXPECT_EQ(std::get<gnn::AdamOptions>(plans.training.optimiser).beta2, 0.99);
  EXPECT_EQ(plans.training.rate.initial, 0.01);
}

TEST(Plans, LeaveNothingOut) {
  const Job plans = read(small_job_and(R"(clip = 2
batch = 8
schedule = { kind = "step", factor = 0.25, every = 3, warm_up = 4 }
stopping = { metric = "mae", part = "test", patience = 5, least_improvement = 0.5 }
[preprocessing]
features = "row-sum"
targets = "none"
[reveal]
model = 0
predictions = 1
)"))
                        .job;
  EXPECT_EQ(plans.data.features, gnn::FeatureScaling::kRowSum);
  EXPECT_FALSE(plans.data.standardise_targets);
  const gnn::TrainingPlan& training = plans.training;
  EXPECT_EQ(training.clip, 2.0);
  EXPECT_EQ(training.batch, 8);
  EXPECT_EQ(training.rate.kind, gnn::RateSchedule::Kind::kStep);
  EXPECT_EQ(training.rate.factor, 0.25);
  EXPECT_EQ(training.rate.every, 3);
  EXPECT_EQ(training.rate.warm_up, 4);
  ASSERT_TRUE(training.stopping);
  EXPECT_EQ(training.stopping->judged.metric, gnn::Metric::kMeanAbsoluteError);
  EXPECT_EQ(training.stopping->judged.part, gnn::Part::kTest);
  EXPECT_EQ(training.stopping->judged.patience, 5);
  EXPECT_EQ(training.stopping->judged.least_improvement, 0.5);
  EXPECT_EQ(training.model_to, mpc::To::rank(0));
  EXPECT_EQ(training.predictions_to, mpc::To::rank(1));
}

}  // namespace
}  // namespace tacit::launcher
