// tacit bench collectives — the cost of moving bytes, without any secrets. Runs the programs that measure net/ one
// after the other, and collects their tables.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"
#include "launcher/processes/console.h"

namespace tacit::launcher {

struct CollectivesOptions {
  std::string programs;  // the folder of the programs; "": where they are built, beside this command
  std::vector<int> parties = {2, 3, 4, 5, 6, 7, 8};
  int repeats = 5;
};

// Throws ConfigError where a program is missing: before anything runs for minutes.
void expect_programs(const CollectivesOptions& options);
// Throws it too, and RunFailed where one fails.
Measurements measure_collectives(const CollectivesOptions& options, const std::string& command, Console& console);

}  // namespace tacit::launcher
