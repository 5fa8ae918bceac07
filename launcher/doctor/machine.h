// Checks of this machine before a training: cores, AES, instructions, memory, disk space, open
// files, clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "launcher/doctor/finding.h"
#include "launcher/plan/memory_need.h"

namespace tacit::launcher {

// A short description for other ranks: "16 cores, avx512".
std::string machine_in_words();

std::vector<Finding> examine_machine(int ranks);

// nullopt: the need is unknown.
Finding examine_memory(const std::optional<NeededMemory>& need, std::string_view remedy = kSmallerBatch);

// Checks that the folder, existing or not, can be written.
Finding examine_folder(const std::filesystem::path& folder);

}  // namespace tacit::launcher
