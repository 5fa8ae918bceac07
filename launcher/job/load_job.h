// A job from its file: read, overridden by flags, completed from its roster, and checked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/job/read_job.h"

namespace tacit::launcher {

// Paths in the file start at the file's folder, paths in overrides ("output=runs/2", in rising order of precedence) at
// the current one; all of them are absolute in the result. Throws ConfigError.
ReadJob load_job(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

inline constexpr const char* kOverrideFlag = "--set";

}  // namespace tacit::launcher
