// Reads the rules of `tacit data clean`: a TOML file with a table for each column.
#pragma once

#include <filesystem>

#include "gnn/clean/rules.h"

namespace tacit::launcher {

// Throws ConfigError with the place of the error in the file.
gnn::CleaningRules load_cleaning_rules(const std::filesystem::path& path);

}  // namespace tacit::launcher
