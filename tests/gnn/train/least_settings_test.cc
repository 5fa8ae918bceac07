// Numbers that fixed point rounds to zero are refused with the least number that has an effect.
#include "gnn/train/least_settings.h"

#include <gmock/gmock.h>

#include "gnn/plan/plans.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const TrainingPlan& plan, double scale) {
  try {
    expect_effect(plan, scale);
    return "accepted";
  } catch (const SettingError& error) {
    return error.what();
  }
}

TrainingPlan plan_with(const OptimiserOptions& optimiser, double rate) {
  TrainingPlan plan;
  plan.top = {64, 13};
  plan.optimiser = optimiser;
  plan.rate.initial = rate;
  return plan;
}

TEST(LeastSettings, OfAClipAreAUnitOfAGradient) {
  TrainingPlan plan = plan_with(SgdOptions{}, 0.1);
  plan.clip = 1e-6;
  EXPECT_THAT(refusal_of(plan, 1), AllOf(StartsWith("training.clip: 1e-06 is less than a unit of 13 fraction bits"),
                                         HasSubstr("take at least 0.00013")));
  EXPECT_EQ(refusal_of(plan, 256), "accepted");
  plan.clip = 1;
  EXPECT_EQ(refusal_of(plan, 1), "accepted");
}

TEST(LeastSettings, OfAWeightDecayAreAUnitOfAGradient) {
  for (const double decay : {1e-9, 5e-5}) {
    for (const OptimiserOptions& optimiser :
         {OptimiserOptions(SgdOptions{.weight_decay = decay}), OptimiserOptions(AdamOptions{.weight_decay = decay})}) {
      EXPECT_THAT(refusal_of(plan_with(optimiser, 0.1), 1),
                  AllOf(StartsWith("training.optimiser.weight_decay: "), HasSubstr("take 0, or at least 0.00013")));
    }
  }
  EXPECT_EQ(refusal_of(plan_with(SgdOptions{.weight_decay = 5e-5}, 0.1), 64), "accepted");
  EXPECT_EQ(refusal_of(plan_with(SgdOptions{}, 0.1), 1), "accepted");
}

TEST(LeastSettings, OfARateAreTheLastBitOfAWeight) {
  for (const OptimiserOptions& optimiser : {OptimiserOptions(SgdOptions{}), OptimiserOptions(AdamOptions{})}) {
    EXPECT_THAT(refusal_of(plan_with(optimiser, 1e-12), 64),
                AllOf(StartsWith("training.optimiser.rate: with 1e-12"), HasSubstr("the model would never change")));
    EXPECT_EQ(refusal_of(plan_with(optimiser, 1e-4), 64), "accepted");
  }
}

}  // namespace
}  // namespace tacit::gnn
