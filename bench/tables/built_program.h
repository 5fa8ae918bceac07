// Programs of bench/programs that a verb of `tacit bench` starts. The build folder holds them; an installation does not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tacit::launcher {

// `folder` "": the build's folder, beside this command. Nullopt: the program is not there.
std::optional<std::filesystem::path> find_built_program(const std::string& folder, const std::string& name);
// The folder in which find_built_program() looks.
std::filesystem::path folder_of_programs(const std::string& folder);
// Throws ConfigError if the program is missing.
std::filesystem::path built_program(const std::string& folder, const std::string& name);

}  // namespace tacit::launcher
