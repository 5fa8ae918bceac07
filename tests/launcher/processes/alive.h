// Checks whether processes still run.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <vector>

namespace tacit::launcher {

// A zombie does not run: a container may have no process that reaps it.
bool runs(pid_t pid);

// True once all processes have ended; false if the time is over.
bool all_gone(const std::vector<pid_t>& pids, std::chrono::milliseconds within);

}  // namespace tacit::launcher
