#include "launcher/job/plans.h"

#include <gmock/gmock.h>

#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

std::string planning(const std::string& more) {
  return refusal([&] { plans_of(read(small_job_and(more)).job); });
}

TEST(Plans, SayWhatTheJobSays) {
  const Plans plans = plans_of(read(small_job_and(R"(seed = 9
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
                                   .job);
  EXPECT_EQ(plans.data.ownership.edges.rank, 1);
  EXPECT_TRUE(plans.data.private_graph());
  EXPECT_TRUE(plans.data.standardise);
  const gnn::TrainingPlan& training = plans.training;
  EXPECT_EQ(training.model.layers.size(), 3u);
  EXPECT_EQ(training.top, (mpc::Format{56, 12}));
  EXPECT_EQ(training.ranges.weights, 7);
  EXPECT_EQ(training.sgd.momentum, 0.5);
  EXPECT_EQ(training.sgd.weight_decay, 0.125);
  EXPECT_FALSE(training.adam);
  EXPECT_EQ(training.rate, 0.25);
  EXPECT_EQ(training.epochs, 20);
  EXPECT_EQ(training.seed, 9u);
  EXPECT_EQ(training.evaluate_every, 4);
  EXPECT_EQ(training.checkpoint_every, 6);
  EXPECT_EQ(training.loss_to, mpc::To::rank(1));
  ASSERT_EQ(training.metrics.size(), 1u);
  EXPECT_EQ(training.metrics[0].to, mpc::To::rank(2));
}

TEST(Plans, OfAdamHaveItsOptions) {
  const Plans plans = plans_of(read(small_job_and("optimiser = { kind = \"adam\", beta2 = 0.99 }")).job);
  ASSERT_TRUE(plans.training.adam);
  EXPECT_EQ(plans.training.adam->beta2, 0.99);
  EXPECT_EQ(plans.training.rate, 0.01);
}

TEST(Plans, RefuseWhatCannotBeDoneAndLeaveNothingOut) {
  for (const auto& [more, setting] : std::vector<std::pair<std::string, std::string>>{
           {"clip = 1", "training.clip"},
           {"batch = 8", "training.batch"},
           {"schedule = { kind = \"cosine\" }", "training.schedule"},
           {"schedule = { warm_up = 2 }", "training.schedule"},
           {"stopping = { metric = \"rmse\" }", "training.stopping"},
           {"[reveal]\nmodel = 0", "reveal.model"},
           {"[reveal]\npredictions = 0", "reveal.predictions"},
           {"[preprocessing]\nfeatures = \"row-sum\"", "preprocessing.features"},
           {"[preprocessing]\nfeatures = \"none\"", "preprocessing"}}) {
    EXPECT_THAT(planning(more), testing::AllOf(HasSubstr(setting + ": this version"), HasSubstr("cannot do that yet")));
  }
  EXPECT_THAT(refusal([] { plans_of(read(small_job_with("\"public\"", "\"rank 0\"")).job); }), HasSubstr("data.masks"));
  EXPECT_EQ(planning("[preprocessing]\nfeatures = \"none\"\ntargets = \"none\""), "accepted");
}

}  // namespace
}  // namespace tacit::launcher
