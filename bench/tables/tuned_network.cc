#include "bench/tables/tuned_network.h"

#include <array>
#include <limits>

namespace tacit::launcher {

namespace {

constexpr std::array<double, 5> kRates = {0.01, 0.03, 0.1, 0.3, 1};

}  // namespace

TunedNetwork tuned_network(gnn::Plans plans, const gnn::GraphData& whole) {
  plans.training.stopping.reset();
  TunedNetwork best{.rate = plans.training.rate.initial, .epochs = plans.training.epochs, .trained = {}};
  double least = std::numeric_limits<double>::infinity();
  gnn::Plans search = plans;
  search.training.evaluate_every = 1;
  search.training.metrics = {{.metric = gnn::Metric::kRootMeanSquaredError, .part = gnn::Part::kValidation}};
  for (const double rate : kRates) {
    search.training.rate = {.initial = rate};
    train_twin(search, whole, [&](const gnn::EpochEvent& event) {
      const double error = event.readings.front().value;
      if (!(error < least)) return;  // or the error is NaN: the rate was too large
      least = error;
      best.rate = rate;
      best.epochs = event.epoch;
    });
  }
  plans.training.rate = {.initial = best.rate};
  plans.training.epochs = best.epochs;
  best.trained = trained_twin(plans, whole);
  return best;
}

}  // namespace tacit::launcher
