// Ten times as long as the curves of curves_test: errors of rounding do not accumulate.
#include <gtest/gtest.h>

#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {
namespace {

TEST(LongRun, OfThreePartiesDoesNotDriftFromTheTwin) {
  Sample sample = sensors_sample(GraphKind::kPrivateDense);
  sample.plan.epochs = 2000;
  const Events twin = plain_run(sample);
  mpc::run_parties(3, [&](mpc::Session& session, int rank) {
    const Events events = secret_run(session, sample);
    if (rank != 0) return;
    EXPECT_LE(largest_difference(events, twin), 1e-2);
    for (std::size_t i = 0; i < twin.back().readings.size(); ++i) {
      const double expected = twin.back().readings[i].value;
      EXPECT_NEAR(events.back().readings[i].value, expected, 0.01 * expected);
    }
  });
}

}  // namespace
}  // namespace tacit::gnn
