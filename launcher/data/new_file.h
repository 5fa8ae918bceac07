// Output files of a verb. An existing file is replaced only at the user's request.
#pragma once

#include <filesystem>

namespace tacit::launcher {

// Throws ConfigError if the path exists and `force` is false.
void expect_absent(const std::filesystem::path& path, bool force);
inline constexpr const char* kForceHelp = "replace a file that is there already";

}  // namespace tacit::launcher
