// Host lists in Slurm's short form: "node[003-010,12],gpu1".
#pragma once

#include <string>
#include <string_view>

namespace tacit::launcher {

// The first host: "node003". Throws ConfigError if the list is malformed up to there.
std::string first_host(std::string_view list);

}  // namespace tacit::launcher
