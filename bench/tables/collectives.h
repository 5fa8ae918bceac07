// tacit bench collectives — the cost of moving bytes, without any secrets. Runs the programs that measure net/ one
// after the other, and collects their tables.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "launcher/processes/console.h"

namespace tacit::launcher {

struct CollectivesOptions {
  std::string programs;  // the folder of the programs; "": the build's folder, beside this command
  std::vector<int> parties = {2, 3, 4, 5, 6, 7, 8};
  int repeats = 5;
};

// Throws ConfigError if a program is missing, before any program runs for minutes.
void expect_programs(const CollectivesOptions& options);
// Throws ConfigError too, and RunFailed if a program fails.
Measurements measure_collectives(const CollectivesOptions& options, const std::string& command, Console& console);

}  // namespace tacit::launcher
