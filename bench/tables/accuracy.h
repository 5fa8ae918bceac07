// tacit bench accuracy — what training on shares comes to, beside its twin on plain data and other models: the report's
// table of errors, with the row that it lacks.
#pragma once

#include <cstdint>
#include <string>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct AccuracyOptions {
  int parties = 3;
  std::int64_t epochs = 100, full_epochs = 1000;
  int cities = 5;  // of sensors, each made from a seed: errors and times are over these
};

Measurements measure_accuracy(Trials& trials, const AccuracyOptions& options, const std::string& command,
                              Console& console);

}  // namespace tacit::launcher
