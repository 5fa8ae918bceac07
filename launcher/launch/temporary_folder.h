// A folder for what only this run needs; its Keeper removes it.
#pragma once

#include <filesystem>
#include <string>

namespace tacit::launcher {

// For its owner alone. Throws ConfigError.
std::filesystem::path new_temporary_folder(const std::string& name);

}  // namespace tacit::launcher
