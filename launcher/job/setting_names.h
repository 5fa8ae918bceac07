// The names of all settings that a job may have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit::launcher {

std::vector<std::string> setting_names();                       // paths: "training.epochs", "model.layers[].kind"
std::vector<std::string> settings_named(std::string_view key);  // where `key` would be known, to be read

}  // namespace tacit::launcher
