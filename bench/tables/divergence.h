// tacit bench divergence — the exploding loss, mapped: which learning rates end a training on shares, for n parties,
// and whether they end its twin (plaintext reference) too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct DivergenceOptions {
  std::vector<double> rates = {1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1};
  std::vector<int> parties = {1, 2, 3, 5};
  std::int64_t epochs = 200;
  int seeds = 1;  // each makes the sensors and the first weights
};

// Throws like Trials. A training that ends itself early is a result, no failure.
Measurements measure_divergence(Trials& trials, const DivergenceOptions& options, const std::string& command,
                                Console& console);

}  // namespace tacit::launcher
