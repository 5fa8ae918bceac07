// Whether processes still run.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <vector>

namespace tacit::launcher {

// A zombie does not: in a container there may be nobody who collects it.
bool runs(pid_t pid);

// True once none of them does; false when the time is over.
bool all_gone(const std::vector<pid_t>& pids, std::chrono::milliseconds within);

}  // namespace tacit::launcher
