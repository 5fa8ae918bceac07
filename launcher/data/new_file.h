// Files that a verb makes: nothing that is there already is replaced unless the user says so.
#pragma once

#include <filesystem>

namespace tacit::launcher {

// Throws ConfigError if something is there and `force` is not given.
void expect_absent(const std::filesystem::path& path, bool force);
inline constexpr const char* kForceHelp = "replace a file that is there already";

}  // namespace tacit::launcher
