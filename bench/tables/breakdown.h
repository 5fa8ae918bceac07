// tacit bench breakdown — where an epoch's bytes, rounds and time go without a link, by protocol and by part of the
// training; and an epoch on a link beside its least time there: bytes by bandwidth, rounds by round trips,
// multiply-adds by the kernel's rate.
#pragma once

#include <cstdint>
#include <string>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct BreakdownOptions {
  int parties = 2;
  std::int64_t epochs = 100;
  int repeats = 5;
  std::string emulated = "10ms,100Mbit";  // a link in the form of parse_link
};

Measurements measure_breakdown(Trials& trials, const BreakdownOptions& options, const std::string& command,
                               Console& console);

}  // namespace tacit::launcher
