// tacit bench sweep — the cost of an epoch as one setting changes: nodes, features, hidden units, layers, ring, link.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct SweepOptions {
  std::vector<std::string> only;  // names from sweep_names(); empty: all
  int parties = 2;
  std::int64_t epochs = 20;            // for sweeps of costs
  std::int64_t accuracy_epochs = 200;  // for sweeps of errors
  int repeats = 5;
};

std::vector<std::string> sweep_names();

// Throws ConfigError for a name that is not in sweep_names().
Measurements measure_sweep(Trials& trials, const SweepOptions& options, const std::string& command, Console& console);

}  // namespace tacit::launcher
