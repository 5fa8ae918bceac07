// The common end of all verbs of `tacit bench`: writes each result as soon as it is there, and one page with all
// results.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/tables/measurements.h"
#include "launcher/answer.h"
#include "launcher/processes/console.h"

namespace tacit::launcher {

// The command that repeats a benchmark. Flags without a value are left out.
std::string command_of(const std::string& verb, const std::vector<std::pair<std::string, std::string>>& flags);

// Runs the benchmarks in order, and writes each result to the folder `output` at once.
Answer run_benchmarks(const std::string& output, Console& console,
                      const std::vector<std::function<Measurements(Console&)>>& benchmarks);

}  // namespace tacit::launcher
