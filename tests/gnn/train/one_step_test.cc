// One training step of the parties equals the clear session's step within a number of units, which
// is due to rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {
namespace {

struct Step {
  const char* name;
  Sample (*sample)();
  double units;  // the largest difference of a parameter
};

Sample communities_by_adam() {
  Sample sample = communities_sample();
  // The error of a gradient is divided by epsilon. The inverse root is exact to 2^-9, and a step is
  // up to 6 here.
  sample.plan.optimiser = AdamOptions{.epsilon = 2};
  return sample;
}

std::vector<Matrix> parameters_after_a_step(mpc::Session& session, Sample sample) {
  sample.plan.epochs = 1;
  sample.plan.metrics.clear();
  sample.plan.model_to = mpc::To::everyone();
  std::vector<Matrix> found;
  secret_run(session, sample, {}, [&](Trainer& trainer) {
    trainer.on_checkpoint([](const TrainingState&) {});
    trainer.run();
    for (const NamedMatrix& parameter : trainer.reveal_model()) found.push_back(parameter.values);
  });
  return found;
}

class OneStep : public testing::TestWithParam<Step> {};

INSTANTIATE_TEST_SUITE_P(Samples, OneStep,
                         testing::Values(Step{"PublicSensors", public_sensors, 8},
                                         Step{"PrivateSensors", private_sensors, 8},
                                         Step{"Communities", communities_sample, 24},
                                         Step{"CommunitiesByAdam", communities_by_adam, 1024}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(OneStep, OfPartiesIsThatOfTheClearSession) {
  const Sample sample = GetParam().sample();
  mpc::ClearSession clear;
  const std::vector<Matrix> expected = parameters_after_a_step(clear, sample);
  const double unit = std::ldexp(1, -sample.plan.top.fraction_bits);
  for (const int parties : {2, 3, 5}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      const std::vector<Matrix> found = parameters_after_a_step(session, sample);
      if (rank != 0) return;
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const double units = (found[i] - expected[i]).cwiseAbs().maxCoeff() / unit;
        EXPECT_LE(units, GetParam().units) << "parameter " << i << ", " << parties << " parties";
        RecordProperty(fmt::format("units_{}_{}", parties, i), fmt::format("{:.2f}", units));
      }
    });
  }
}

}  // namespace
}  // namespace tacit::gnn
