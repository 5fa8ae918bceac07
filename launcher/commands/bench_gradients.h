// tacit bench gradients: the verb, and its quick size as a part of `tacit bench all`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "bench/tables/measurements.h"
#include "launcher/commands/verb.h"
#include "launcher/processes/console.h"

namespace tacit::launcher {

void add_bench_gradients(CLI::App& bench, Choice& choice);

// False if the training program is not built, since it needs libtorch. `programs`: the folder with the program; "":
// the build's folder.
bool can_measure_gradients(const std::string& programs);
// The trainings of `tacit bench gradients --quick`.
Measurements measure_gradients_quickly(const std::string& programs, Console& console);

}  // namespace tacit::launcher
