// tacit bench privacy — cost and benefit of training with differential privacy: time and bytes of an epoch on shares
// and in the mode "aggregate", beside a training without privacy; accuracy and attacks by epsilon.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct PrivacyOptions {
  int parties = 2;
  std::int64_t rows = 50'000;  // rows in the trainings that measure costs
  std::int64_t epochs = 3;     // epochs in these trainings
  int repeats = 3;
  int seeds = 5;     // attacked trainings, each on data of its own
  int shadows = 32;  // models that an attacker trains
  std::vector<double> epsilons = {8, 4, 1};
};

Measurements measure_privacy(Trials& trials, const PrivacyOptions& options, const std::string& command,
                             Console& console);

}  // namespace tacit::launcher
