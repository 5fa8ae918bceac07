#include <gtest/gtest.h>

#include <chrono>

#include "bench/data/sensors.h"
#include "tests/bench/baselines/all_regressions.h"
#include "tests/bench/baselines/sample_regression.h"

namespace tacit::gnn {
namespace {

struct SensorErrors {
  double train = 0, test = 0, seconds = 0;
};

SensorErrors errors_of(const RegressionMethod& method, std::uint64_t seed) {
  SensorsOptions options;
  options.seed = seed;
  const GraphData sensors = make_sensors(options);
  const RegressionData data{*sensors.x, *sensors.targets, rows_where(sensors.train_mask), rows_where(sensors.val_mask)};
  const auto before = std::chrono::steady_clock::now();
  const Regression found = method.regress(data);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  const SensorErrors errors{rmse(found.predictions, data.y, data.train),
                            rmse(found.predictions, data.y, rows_where(sensors.test_mask)), took.count()};
  std::printf("seed %d: %-24s train %5.2f, test %5.2f, %.4f s: %s\n", static_cast<int>(seed), method.name.c_str(),
              errors.train, errors.test, errors.seconds, found.chosen.c_str());
  return errors;
}

TEST(SensorsRegression, EachMethodErrsLessThanTheMean) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const double mean = errors_of(all_regressions()[0], seed).test;
    for (std::size_t i = 1; i < all_regressions().size(); ++i) {
      const RegressionMethod method = all_regressions()[i];
      const SensorErrors errors = errors_of(method, seed);
      EXPECT_LT(errors.test, 0.7 * mean) << method.name;
      EXPECT_GT(errors.test, 8) << method.name << ": a reading's own error, which nobody foretells";
    }
  }
}

// Fewer points than training nodes (180). The sparse method is not an exact one that is thinned out
// afterwards.
TEST(SensorsRegression, FewPointsAreNearlyAsGoodInLessTime) {
  const RegressionMethod sparse{"sparse, 40 points", [](const RegressionData& data) {
                                  return sparse_gaussian_process(data, {.inducing_points = 40});
                                }};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SensorErrors exact = errors_of(all_regressions()[2], seed), found = errors_of(sparse, seed);
    EXPECT_LT(found.test, 1.05 * exact.test);
    EXPECT_LT(found.seconds, 0.7 * exact.seconds);
  }
}

}  // namespace
}  // namespace tacit::gnn
