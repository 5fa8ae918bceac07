// MemoryAtHand — the memory that processes started now can use on this machine. All processes together
// get the lesser of the free memory and the rest of a container's limit (cgroup v1 and v2). Each
// process has the limit of `ulimit -v`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tacit::launcher {

struct MemoryAtHand {
  std::int64_t bytes = -1;         // for all processes together; -1: unknown
  std::string limit;               // the source: "free memory", "the container's limit"
  std::int64_t of_a_process = -1;  // the limit of `ulimit -v` for one process; -1: none
};

// `root` is the parent of /proc and /sys; a test has its own.
MemoryAtHand memory_at_hand(const std::filesystem::path& root = "/");

}  // namespace tacit::launcher
