// The CPUs on which a rank computes, where the user picks them: measurements of ranks that share a machine then do not
// depend on where the system moves them.
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

inline constexpr const char* kCpusFlag = "--cpus";

// "0-3,8" as numbers, ascending. Throws ConfigError for anything else, and for a CPU that is named twice.
std::vector<int> parse_cpus(const std::string& text);
std::string text_of_cpus(const std::vector<int>& cpus);  // "0-3,8"

// Shares CPUs out to ranks, in order and as evenly as possible. Throws ConfigError if there are fewer CPUs than ranks.
std::vector<std::vector<int>> share_out(const std::vector<int>& cpus, int ranks);

// Keeps this process, and all threads and processes that it starts later, on these CPUs. Throws ConfigError if it may not
// use one of them.
void stay_on(const std::vector<int>& cpus);

}  // namespace tacit::launcher
