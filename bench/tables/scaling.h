// tacit bench scaling — the cost of an epoch of the sensor network for n parties and the dealer, and its growth with
// n.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct ScalingOptions {
  std::vector<int> parties = {1, 2, 3, 4, 5, 6, 7, 8};
  std::int64_t epochs = 200;
  int repeats = 5;
  std::string emulated;  // a link; "": none
  bool here = true;      // all ranks are on this machine
};

// In each repetition every number of parties takes its turn, since machines drift. Throws like Trials.
Measurements measure_scaling(Trials& trials, const ScalingOptions& options, const std::string& command,
                             Console& console);

// Adds a run's figures to the rows of its ranks (the dealer's is last), and to the row of all ranks together. `here`: all
// ranks are on this machine.
void add_run(const RunAccount& run, const std::vector<Row*>& ranks, Row& all, bool here);

// "1..8", "2,3,5", or both. Throws ConfigError for more parties than the demonstration's data can have.
std::vector<int> parse_parties(const std::string& text);

}  // namespace tacit::launcher
