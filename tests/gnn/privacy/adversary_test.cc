#include "gnn/privacy/adversary.h"

#include <gmock/gmock.h>

#include <cmath>

#include "gnn/privacy/privacy_plan.h"
#include "net/error.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Variances in units of the job's, of the outsiders, the dealer and the colluding parties.
std::vector<double> variances(NoiseFrom from, int parties, int colluding) {
  std::vector<double> all;
  for (const Adversary& one : adversaries_of(from, parties, colluding, 3, .01, true)) {
    EXPECT_EQ(one.rate, .01);
    all.push_back(one.noise * one.noise / 9);
  }
  return all;
}

auto near(double a, double b, double c) {
  return ElementsAre(testing::DoubleNear(a, 1e-12), testing::DoubleNear(b, 1e-12), testing::DoubleNear(c, 1e-12));
}

// The design's table, section 1.3.
TEST(Adversaries, FaceTheNoiseThatTheyDidNotMake) {
  for (const int n : {2, 3, 5}) {
    EXPECT_THAT(variances(NoiseFrom::kBoth, n, n - 1), near(2 - 1. / n, 1, 1)) << n;
    EXPECT_THAT(variances(NoiseFrom::kParties, n, n - 1), near(n, n, 1)) << n;
    EXPECT_THAT(variances(NoiseFrom::kDealt, n, n - 1), near(1, 0, 1)) << n;
  }
  EXPECT_THAT(variances(NoiseFrom::kBoth, 5, 1), near(1.2, 1, 1)) << "one of five parties colludes";
  EXPECT_THAT(variances(NoiseFrom::kParties, 5, 1), near(1.25, 1.25, 1));
}

TEST(Adversaries, AreListedAsFarAsThereAreAny) {
  EXPECT_EQ(adversaries_of(NoiseFrom::kBoth, 3, 2, 1, 1, false).size(), 2U) << "the dealer sees nothing";
  EXPECT_EQ(adversaries_of(NoiseFrom::kParties, 3, 0, 1, 1, false).size(), 1U) << "nobody colludes";
  const std::vector<Adversary> all = adversaries_of(NoiseFrom::kBoth, 3, 2, 1, 1, true);
  EXPECT_EQ(describe(all[0]), "everyone who sees the revealed values");
  EXPECT_EQ(describe(all[1]), "the dealer, if it sees the revealed values");
  EXPECT_EQ(describe(all[2]), "2 parties together, none the owner");
  EXPECT_EQ(describe(adversaries_of(NoiseFrom::kBoth, 3, 1, 1, 1, true)[2]), "1 party, not the owner");
}

PrivacyPlan plan_with(std::vector<Adversary> adversaries) {
  PrivacyPlan plan;
  plan.noise = 1;
  plan.steps = 1000;
  plan.adversaries = std::move(adversaries);
  return plan;
}

TEST(Adversaries, AreComparedByTheirEpsilon) {
  const PrivacyPlan by_noise = plan_with(adversaries_of(NoiseFrom::kBoth, 4, 3, 1, .01, true));
  EXPECT_NEAR(strongest(by_noise, 1000, 1e-6).noise, 1, 1e-12);
  // A party that sees the sample, in which a record is 10 times at most, learns more than others from less noise.
  const PrivacyPlan by_sample = plan_with({{Observer::kOutsiders, 0, .8, .01}, {Observer::kParties, 1, 1, 1, 10}});
  EXPECT_EQ(strongest(by_sample, 1000, 1e-6).observer, Observer::kParties);
  EXPECT_EQ(mechanism_of(by_sample, by_sample.adversaries[1], 1000).steps, 10);
  EXPECT_EQ(mechanism_of(by_sample, by_sample.adversaries[1], 3).steps, 3);
  EXPECT_EQ(mechanism_of(by_sample, by_sample.adversaries[0], 1000).steps, 1000);
  PrivacyPlan by_sight = plan_with({{Observer::kOutsiders, 0, .8, .01}, {Observer::kParties, 1, 1, .01, 0, true}});
  by_sight.failure = 1e-12;
  EXPECT_EQ(strongest(by_sight, 1000, 1e-6).observer, Observer::kParties);
  const Mechanism sees = mechanism_of(by_sight, by_sight.adversaries[1], 1000);
  EXPECT_TRUE(sees.sample_seen);
  EXPECT_EQ(sees.steps, 1000);
  EXPECT_EQ(sees.failure, 0) << "an overflow takes the record less often";
  EXPECT_FALSE(mechanism_of(by_sight, by_sight.adversaries[0], 1000).sample_seen);
  EXPECT_EQ(mechanism_of(by_sight, by_sight.adversaries[0], 1000).failure, 1e-12);
}

TEST(Plans, ThatCannotBeCountedAreRefused) {
  const auto refusal = [](const PrivacyPlan& plan) -> std::string {
    try {
      check_plan(plan);
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  const PrivacyPlan good = plan_with(adversaries_of(NoiseFrom::kBoth, 3, 2, 1, .01, true));
  EXPECT_EQ(refusal(good), "");
  PrivacyPlan bad = good;
  bad.unit = "Record; x";
  EXPECT_THAT(refusal(bad), HasSubstr("unit of privacy"));
  bad = good;
  bad.steps = 0;
  EXPECT_THAT(refusal(bad), HasSubstr("at least one step"));
  bad = good;
  bad.adversaries[1].rate = 2;
  EXPECT_THAT(refusal(bad), HasSubstr("rate 2 is outside"));
  bad = good;
  bad.adversaries.erase(bad.adversaries.begin());
  EXPECT_THAT(refusal(bad), HasSubstr("beginning with the outsiders"));
  bad = plan_with({});
  EXPECT_THAT(refusal(bad), HasSubstr("adversaries"));
}

}  // namespace
}  // namespace tacit::gnn
