#include "bench/tables/tuned_network.h"

#include <gmock/gmock.h>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"

namespace tacit::launcher {
namespace {

constexpr std::int64_t kMostEpochs = 60;

gnn::Plans dense_plans() {
  gnn::Plans plans = demo_job(2, kMostEpochs);
  plans.training.model.layers = {{.kind = gnn::LayerSpec::Kind::kDense, .outputs = 4},
                                 {.kind = gnn::LayerSpec::Kind::kRelu},
                                 {.kind = gnn::LayerSpec::Kind::kDense, .outputs = 1}};
  return plans;
}

// The validation error after `epochs` epochs at this rate.
double validation_error(double rate, std::int64_t epochs, const gnn::GraphData& whole) {
  gnn::Plans plans = dense_plans();
  plans.training.rate = {.initial = rate};
  plans.training.epochs = epochs;
  plans.training.metrics = {{.metric = gnn::Metric::kRootMeanSquaredError, .part = gnn::Part::kValidation}};
  return train_twin(plans, whole).front().value;
}

TEST(TunedNetwork, NoOtherRateOrNumberOfEpochsErrsLessOnValidationNodes) {
  const gnn::GraphData whole = gnn::make_sensors({});
  const TunedNetwork best = tuned_network(dense_plans(), whole);
  const double least = validation_error(best.rate, best.epochs, whole);
  for (const double rate : {0.01, 0.03, 0.1, 0.3, 1.0}) {
    for (std::int64_t epochs = 1; epochs <= kMostEpochs; ++epochs) {
      const double error = validation_error(rate, epochs, whole);
      EXPECT_FALSE(error < least) << rate << ", " << epochs;
    }
  }
}

TEST(TunedNetwork, IsTrainedWithTheChosenOnes) {
  const gnn::GraphData whole = gnn::make_sensors({});
  const TunedNetwork best = tuned_network(dense_plans(), whole);
  gnn::Plans plans = dense_plans();
  plans.training.rate = {.initial = best.rate};
  plans.training.epochs = best.epochs;
  const auto expected = train_twin(plans, whole);
  ASSERT_EQ(best.trained.readings.size(), 2u) << "for training and test nodes, as the plans reveal";
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(best.trained.readings[i].value, expected[i].value);
  EXPECT_GT(best.trained.seconds, 0);
}

// The scale is independent of the test nodes, too: other readings at test nodes change only the error there.
TEST(TunedNetwork, IsChosenWithoutTheTestNodes) {
  gnn::GraphData whole = gnn::make_sensors({});
  const TunedNetwork best = tuned_network(dense_plans(), whole);
  for (const std::int64_t node : gnn::rows_where(whole.test_mask)) (*whole.targets)(node, 0) += 500;
  const TunedNetwork other = tuned_network(dense_plans(), whole);
  EXPECT_EQ(other.rate, best.rate);
  EXPECT_EQ(other.epochs, best.epochs);
  EXPECT_EQ(other.trained.readings[0].value, best.trained.readings[0].value) << "of the training nodes";
  EXPECT_GT(other.trained.readings[1].value, best.trained.readings[1].value + 400);
}

}  // namespace
}  // namespace tacit::launcher
