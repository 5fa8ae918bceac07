// A momentum near 1 forgets as much of the velocity as its twin does: 12 bits would round it to 1.
#include "gnn/optimiser/sgd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gnn/arithmetic/sharing.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

// The velocity after one gradient of 256, and steps without any.
mpc::Share velocity_after(mpc::Session& session, double momentum, std::int64_t steps) {
  Arithmetic arithmetic(session, {64, 13}, {.weights = 16, .weight_gradients = 511});
  const Matrix zero = Matrix::Zero(1, 1), first = Matrix::Constant(1, 1, 256);
  Parameter parameter{share_input(arithmetic, 0, {1, 1}, &zero, Precision::kValue, 16, "w"), {}};
  Parameter* const all = &parameter;
  const std::unique_ptr<Optimiser> sgd = SgdOptions{.momentum = momentum}.make();
  sgd->begin(arithmetic, std::span(&all, 1));
  for (std::int64_t step = 0; step < steps; ++step) {
    parameter.gradient =
        share_input(arithmetic, 0, {1, 1}, step == 0 ? &first : &zero, Precision::kValue, 256, "gradient");
    sgd->step(arithmetic, std::span(&all, 1), {.rate = 1e-5, .gradient_scale = 1, .clamps = false});
  }
  return sgd->state().tensors.back().share();
}

TEST(Sgd, ForgetsAsItsTwinWithAMomentumNearOne) {
  for (const double momentum : {0.99, 0.999, 0.9999}) {
    constexpr std::int64_t kSteps = 100;
    const double expected = 256 * std::pow(momentum, kSteps - 1);
    const auto program = [&](mpc::Session& session) { return velocity_after(session, momentum, kSteps); };
    EXPECT_NEAR(mpc::revealed_in_the_clear(program)(0, 0), expected, 0.02 * (256 - expected) + 0.01) << momentum;
    EXPECT_NEAR(mpc::revealed_by_parties(3, program)(0, 0), expected, 0.02 * (256 - expected) + 0.04) << momentum;
  }
}

}  // namespace
}  // namespace tacit::gnn
