// What this machine has for a training: cores, AES, instructions, memory, room on a disk, open files, its clock, a
// GPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "launcher/doctor/finding.h"
#include "launcher/plan/memory_need.h"

namespace tacit::launcher {

// In a few words, for other ranks: "16 cores, avx512".
std::string machine_in_words();

std::vector<Finding> examine_machine(int ranks);

// nullopt: the need is unknown.
Finding examine_memory(const std::optional<NeededMemory>& need);

// Whether the folder, which need not be there yet, can be written.
Finding examine_folder(const std::filesystem::path& folder);

}  // namespace tacit::launcher
