// load_job — reads a job from its file, applies overrides, completes it from its roster, and checks
// it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/job/read_job.h"

namespace tacit::launcher {

// Makes all paths absolute: paths in the file start at the file's folder, paths in overrides
// ("output=runs/2") at the current folder. A later override wins. Throws ConfigError.
ReadJob load_job(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

inline constexpr const char* kOverrideFlag = "--set";

}  // namespace tacit::launcher
