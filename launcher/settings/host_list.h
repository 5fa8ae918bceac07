// Slurm's short way to write many hosts: "node[003-010,12],gpu1".
#pragma once

#include <string>
#include <string_view>

namespace tacit::launcher {

// The first host of it: "node003". Throws ConfigError if the list cannot be read that far.
std::string first_host(std::string_view list);

}  // namespace tacit::launcher
