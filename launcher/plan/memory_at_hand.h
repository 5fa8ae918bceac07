// MemoryAtHand — how much memory processes started now can take on this machine: the least of what is free and of what
// a container's limit leaves (cgroup v1 and v2) to all of them, and what `ulimit -v` leaves to each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tacit::launcher {

struct MemoryAtHand {
  std::int64_t bytes = -1;         // of all processes together; -1: the system does not say
  std::string limit;               // its source: "free memory", "the container's limit"
  std::int64_t of_a_process = -1;  // `ulimit -v`; -1: none
};

// `root` is where /proc and /sys are; tests bring their own.
MemoryAtHand memory_at_hand(const std::filesystem::path& root = "/");

}  // namespace tacit::launcher
