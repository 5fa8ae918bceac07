// The number of threads on which a rank computes. Each rank chooses for itself: results and bytes do not depend on
// the number.
//
// The flag --threads beats TACIT_THREADS in the environment. By default a rank takes the cores that its process may
// use, divided by the number of ranks on this machine. OMP_NUM_THREADS is not read: torchrun sets it to 1 for every
// process that it starts, and a rank would leave its cores idle.
#pragma once

#include <filesystem>

#include "launcher/settings/source.h"
#include "net/rendezvous/environment.h"

namespace tacit::launcher {

inline constexpr const char* kThreadsFlag = "--threads";
inline constexpr const char* kThreadsVariable = "TACIT_THREADS";
inline constexpr int kMostThreads = 1024;

// The cores in this process' affinity, at most the CPU time that its control groups allow (rounded down, at least 1).
// `root` is "/", except in tests.
int usable_cores(const std::filesystem::path& root = "/");

// `flag` 0: the flag is not given. Throws ConfigError for a variable that is not a number of threads.
Sourced<int> find_threads(int flag, const net::GetVariable& get, int ranks_here);

}  // namespace tacit::launcher
