// tacit bench data-parallel — DP-SGD in the mode "aggregate", divided among parties and their threads: time, accuracy,
// bytes, epsilon and price of the training by layout.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/layout.h"
#include "bench/tables/measurements.h"
#include "bench/tables/prices.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct DataParallelOptions {
  std::vector<Layout> layouts = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {4, 1}};
  std::int64_t rows = 98'000;  // raw records of people, before cleaning
  std::int64_t epochs = 10;
  std::int64_t batch = 256;  // records in a step, all parties together
  int seeds = 5;             // each makes records and first weights, for one training of each layout
  double rate = 0.1;
  std::string emulated;  // a link between the parties; "": none
  bool here = true;      // false: each party is on a host of its own
};

// With each seed, every layout takes its turn, since machines drift. Throws like Trials. Throws ConfigError if a layout
// has no price, before anything runs.
Measurements measure_data_parallel(Trials& trials, const DataParallelOptions& options, const Prices& prices,
                                   const std::string& command, Console& console);

}  // namespace tacit::launcher
