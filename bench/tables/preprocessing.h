// tacit bench preprocessing — how long cleaning a raw table takes: in sequence, in threads, with Dask, and as a MapReduce job
// through files. All write equal bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "launcher/processes/console.h"

namespace tacit::launcher {

struct PreprocessingOptions {
  std::int64_t records = 1'225'000;          // rows of the whole table
  std::vector<int> percents = {1, 25, 100};  // sizes, in percent of the whole table
  std::vector<int> cores = {1, 2, 3, 4};
  int repeats = 5;
  std::string dask;     // clean_with_dask.py; "": beside the build folder
  std::string program;  // the tacit command that Dask's workers run; "": this one
};

// Throws ConfigError, and RunFailed if a program fails or writes other bytes.
Measurements measure_preprocessing(const PreprocessingOptions& options, const std::string& command, Console& console);

}  // namespace tacit::launcher
