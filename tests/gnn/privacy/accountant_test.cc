// The noise and the number of steps that fit an epsilon.
#include "gnn/privacy/accountant.h"

#include <gmock/gmock.h>

#include "net/error.h"

namespace tacit::gnn {
namespace {

constexpr double kRate = 256 / 980000.;

double told(std::vector<Mechanism> mechanisms, double delta) { return epsilon_of(mechanisms, delta).told(); }

TEST(Accountant, FindsTheLeastNoiseThatFits) {
  for (const double epsilon : {.2, 1., 8.}) {
    const double noise = noise_that_fits({0, kRate, 38280}, {epsilon, 1e-6});
    EXPECT_LE(told({{noise, kRate, 38280}}, 1e-6), epsilon);
    EXPECT_GT(told({{noise * .998, kRate, 38280}}, 1e-6), epsilon);
  }
  EXPECT_NEAR(noise_that_fits({0, kRate, 38280}, {1, 1e-6}), .657, 1e-3) << "as the spec finds";
}

TEST(Accountant, FindsTheMostStepsThatFit) {
  const std::int64_t steps = steps_that_fit({.9, kRate, 38280}, {.25, 1e-6});
  EXPECT_LE(told({{.9, kRate, steps}}, 1e-6), .25);
  EXPECT_GT(told({{.9, kRate, steps + 1}}, 1e-6), .25);
  EXPECT_EQ(steps_that_fit({.9, kRate, 38280}, {.25, 1e-6}, 3828), steps / 3828 * 3828);
  EXPECT_EQ(steps_that_fit({.9, kRate, 38280}, {.33, 1e-6}), 38280) << "all of them";
  EXPECT_EQ(steps_that_fit({.9, kRate, 38280}, {.33, 1e-6}, 7000), 35000);
  EXPECT_EQ(steps_that_fit({.9, 1, 100}, {.3, 1e-6}), 0) << "not one";
}

TEST(Accountant, CountsWhatWasSpentBefore) {
  const std::vector<Mechanism> before = {{1.5, .01, 2000}};
  const Allowance allowance = {2, 1e-6, before};
  const double noise = noise_that_fits({0, kRate, 38280}, allowance);
  EXPECT_LE(told({before[0], {noise, kRate, 38280}}, 1e-6), 2);
  EXPECT_GT(told({before[0], {noise * .998, kRate, 38280}}, 1e-6), 2);
  const std::int64_t steps = steps_that_fit({.6, kRate, 38280}, allowance);
  EXPECT_GT(steps, 0);
  EXPECT_LE(told({before[0], {.6, kRate, steps}}, 1e-6), 2);
  EXPECT_GT(told({before[0], {.6, kRate, steps + 1}}, 1e-6), 2);
  const Allowance gone = {told(before, 1e-6) * .99, 1e-6, before};
  EXPECT_EQ(noise_that_fits({0, kRate, 38280}, gone), INFINITY);
  EXPECT_EQ(steps_that_fit({.9, kRate, 38280}, gone), 0);
}

TEST(Accountant, TakesTheLeastNoiseThereIsWhereAnyFits) {
  EXPECT_EQ(noise_that_fits({0, 1, 1}, {1000, 1e-6}), kLeastNoise);
}

TEST(Accountant, RefusesOtherNumbers) {
  const auto refusal = [](const Mechanism& mechanism) -> std::string {
    try {
      check_mechanism(mechanism);
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  using testing::HasSubstr;
  EXPECT_EQ(refusal({1, .5, 100}), "");
  EXPECT_EQ(refusal({0, 1, 0}), "");
  EXPECT_THAT(refusal({.01, .5, 100}), HasSubstr("noise 0.01 is outside"));
  EXPECT_THAT(refusal({NAN, .5, 100}), HasSubstr("noise nan is outside"));
  EXPECT_THAT(refusal({1, 0, 100}), HasSubstr("rate 0 is outside"));
  EXPECT_THAT(refusal({1, 1.5, 100}), HasSubstr("rate 1.5 is outside"));
  EXPECT_THAT(refusal({1, .5, -1}), HasSubstr("number of steps -1 is outside"));
  EXPECT_THAT(refusal({1, .5, kMostSteps + 1}), HasSubstr("number of steps"));
  EXPECT_THAT(refusal({1, .5, 1, 1}), HasSubstr("probability of a failure"));
  EXPECT_THROW(check_delta(0), ConfigError);
  EXPECT_THROW(check_delta(1), ConfigError);
  EXPECT_THROW(check_delta(NAN), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
