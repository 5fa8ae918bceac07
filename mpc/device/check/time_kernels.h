// The speed of the kernels on this card, as tables in the JSON of bench/results.
#pragma once

#include <string>

namespace tacit::mpc::device {

// Prints the figures, and writes them to `json` (no file if empty). `command` and `commit` are noted there.
void time_kernels(const std::string& json, const std::string& command, const std::string& commit);

}  // namespace tacit::mpc::device
