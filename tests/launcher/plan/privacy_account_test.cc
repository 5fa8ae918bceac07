#include "launcher/plan/privacy_account.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

gnn::TrainingPlan private_plan(gnn::PrivacyUnit unit) {
  gnn::TrainingPlan plan;
  gnn::LayerSpec last;
  last.outputs = 3;
  plan.model.layers = {last};
  plan.epochs = 10;
  gnn::PrivacySettings& privacy = plan.privacy.emplace();
  privacy.unit = unit;
  privacy.noise = 1;
  privacy.delta = 1e-5;
  return plan;
}

TEST(PrivacyAccount, TellsTheNoiseInASumThatAllPartiesAndTheDealerMade) {
  gnn::TrainingPlan plan = private_plan(gnn::PrivacyUnit::kEdge);
  for (const auto& [from, variance] : {std::pair{gnn::NoiseFrom::kDealt, 1.0}, {gnn::NoiseFrom::kParties, 3.0}}) {
    plan.privacy->noise_from = from;
    const Json told = privacy_json(plan, gnn::edge_privacy(plan, 3));
    EXPECT_NEAR(told["noise_of_a_sum"].get<double>(), std::sqrt(2.0 * variance * 3), 1e-9);
  }
}

TEST(PrivacyAccount, CountsTheStepsOfEarlierSessions) {
  gnn::TrainingPlan plan = private_plan(gnn::PrivacyUnit::kRecord);
  plan.batch = 10;
  const gnn::TrainingPrivacy privacy = gnn::record_privacy(plan, {50, 50}, 2);
  const Json planned = privacy_json(plan, privacy);
  EXPECT_EQ(planned["steps"], 100);
  EXPECT_EQ(spent_json(plan, privacy, 100, 10), planned);
  const Json spent = spent_json(plan, privacy, 130, 10);
  EXPECT_EQ(spent["steps"], 130);
  EXPECT_EQ(spent["repeated_steps"], 30);
  EXPECT_GT(spent["adversaries"][0]["epsilon"], planned["adversaries"][0]["epsilon"]);
  EXPECT_THAT(privacy_text(spent), HasSubstr("30 of the steps are repetitions"));
  plan.epochs = 13;
  EXPECT_EQ(spent["adversaries"], privacy_json(plan, privacy)["adversaries"]);
}

TEST(PrivacyAccount, SaysWithoutCheckpointsThatEpsilonIsOfOneSession) {
  gnn::TrainingPlan plan = private_plan(gnn::PrivacyUnit::kRecord);
  const gnn::TrainingPrivacy privacy = gnn::record_privacy(plan, {50}, 1);
  plan.checkpoint_every = 0;
  EXPECT_THAT(privacy_text(privacy_json(plan, privacy)), HasSubstr("epsilon is of one session alone"));
  plan.checkpoint_every = 5;
  EXPECT_THAT(privacy_text(privacy_json(plan, privacy)), Not(HasSubstr("one session")));
}

}  // namespace
}  // namespace tacit::launcher
