#include "gnn/train/least_settings.h"

#include <cmath>

#include "gnn/plan/wrong_setting.h"

namespace tacit::gnn {

namespace {

constexpr int kMasterBits = 7;  // Precision::kMaster has so many more than a value

// A number whose first two digits, as printed, are not below `least`.
double upwards(double least) { return 1.05 * least; }

double weight_decay_of(const OptimiserOptions& options) {
  return std::visit([](const auto& one) { return one.weight_decay; }, options);
}

// The longest step of a weight at the rate 1.
double longest_step(const SgdOptions&, const TrainingPlan& plan, double scale) {
  return plan.ranges.weight_gradients / scale;
}
double longest_step(const AdamOptions& options, const TrainingPlan&, double) { return options.largest_quotient(); }

}  // namespace

void expect_effect(const TrainingPlan& plan, double scale) {
  const int bits = plan.top.fraction_bits;
  const double unit = std::ldexp(1.0, -bits);
  if (plan.clip && *plan.clip * scale < unit) {
    wrong("training.clip",
          "{:g} is less than a unit of {} fraction bits, and every gradient would be cut to 0; take at least {:.2g}, "
          "or set "
          "ring.fraction_bits to more",
          *plan.clip, bits, upwards(unit / scale));
  }
  const double decay = weight_decay_of(plan.optimiser);
  if (decay != 0 && decay * scale < unit) {
    wrong("training.optimiser.weight_decay",
          "{:g} changes no gradient of a weight of 1 or less by a unit of {} fraction bits; take 0, or at least "
          "{:.2g}, or "
          "set ring.fraction_bits to more",
          decay, bits, upwards(unit / scale));
  }
  const double longest = std::visit([&](const auto& one) { return longest_step(one, plan, scale); }, plan.optimiser);
  const double step = std::ldexp(unit, -kMasterBits);
  if (plan.rate.initial * longest < step) {
    wrong("training.optimiser.rate",
          "with {:g}, no step is as long as the last bit of a weight, and the model would never change; take at least "
          "{:.2g}, or set ring.fraction_bits to more",
          plan.rate.initial, upwards(step / longest));
  }
}

}  // namespace tacit::gnn
