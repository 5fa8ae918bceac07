// tacit bench accuracy — errors after training on shares, beside the twin (plaintext reference) and other plain models:
// the report's table of errors, with the row that it lacks.
#pragma once

#include <cstdint>
#include <string>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct AccuracyOptions {
  int parties = 3;
  std::int64_t epochs = 100, full_epochs = 1000;
  int cities = 5;  // sensor networks, each made from a seed; each gives one sample
};

Measurements measure_accuracy(Trials& trials, const AccuracyOptions& options, const std::string& command,
                              Console& console);

}  // namespace tacit::launcher
