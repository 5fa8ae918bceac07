#include "gnn/optimiser/rate_schedule.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "net/error.h"

namespace tacit::gnn {

double RateSchedule::at(std::int64_t epoch, std::int64_t epochs) const {
  if (epoch <= warm_up) return initial * static_cast<double>(epoch) / static_cast<double>(warm_up + 1);
  const std::int64_t done = epoch - warm_up - 1;  // of those that follow
  switch (kind) {
    case Kind::kConstant:
      return initial;
    case Kind::kStep:
      return initial * std::pow(factor, static_cast<double>(done / every));
    case Kind::kCosine: {
      const std::int64_t last = epochs - warm_up - 1;
      const double way = last > 0 ? static_cast<double>(done) / static_cast<double>(last) : 0;
      return least + (initial - least) * (1 + std::cos(std::numbers::pi * way)) / 2;
    }
  }
  return initial;
}

void check(const RateSchedule& rate) {
  const auto expect = [](bool holds, const char* name, double value, const char* allowed) {
    if (!holds) throw ConfigError(fmt::format("training: {} is {}; {}", name, value, allowed));
  };
  expect(rate.initial > 0 && rate.initial <= 16, "the learning rate", rate.initial, "above 0, at most 16");
  constexpr std::int64_t kMostEpochs = 1'000'000'000;
  expect(rate.warm_up >= 0 && rate.warm_up <= kMostEpochs, "the warm-up of the learning rate",
         static_cast<double>(rate.warm_up), "a number of epochs");
  if (rate.kind == RateSchedule::Kind::kStep) {
    expect(rate.factor > 0 && rate.factor <= 1, "the factor of the learning rate", rate.factor, "above 0, at most 1");
    expect(rate.every >= 1, "the learning rate's number of epochs to a step", static_cast<double>(rate.every),
           "at least 1");
  }
  if (rate.kind == RateSchedule::Kind::kCosine) {
    expect(rate.least >= 0 && rate.least <= rate.initial, "the least learning rate", rate.least,
           "at least 0, at most the initial rate");
  }
}

}  // namespace tacit::gnn
