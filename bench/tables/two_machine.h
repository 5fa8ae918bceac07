// tacit bench two-machine — the report's table of two machines: packets, data, time, CPU and memory at both ranks, on a
// link with its round trip.
#pragma once

#include <cstdint>
#include <string>

#include "bench/tables/measurements.h"
#include "bench/tables/trial.h"

namespace tacit::launcher {

struct TwoMachineOptions {
  std::int64_t epochs = 200;  // 3 at least, for one to be usual
  int repeats = 5;
  std::string emulated = "7.9ms,100Mbit";  // "": no emulated link, for ranks on hosts
};

Measurements measure_two_machine(Trials& trials, const TwoMachineOptions& options, const std::string& command,
                                 Console& console);

}  // namespace tacit::launcher
