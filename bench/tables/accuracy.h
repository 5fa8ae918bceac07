// tacit bench accuracy — errors of a GCN, GraphSAGE and a dense network after training on shares, beside their twins
// (plaintext references) and regressions: the report's Table 5 with the secure column that it lacks, on two data sets.
#pragma once

#include <cstdint>
#include <string>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct AccuracyOptions {
  int parties = 3;
  std::int64_t epochs = 100, full_epochs = 1000;
  int cities = 5;  // sensor networks of each data set, each made from a seed; each gives one sample
};

Measurements measure_accuracy(Trials& trials, const AccuracyOptions& options, const std::string& command,
                              Console& console);

}  // namespace tacit::launcher
