// The reference of a job file: every setting, as the description of the plans has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/settings/setting_visitor.h"

namespace tacit::launcher {

struct SettingReference {
  std::string name;       // "training.epochs", "model.layers[].kind"
  std::string allowed;    // "a whole number, 1 ... 100"
  std::string otherwise;  // the default, as a job file has it; "": there is none
  std::string help;
  std::string only_with;  // `training.optimiser.kind = "adam"`; "": with any
  gnn::Scope scope = gnn::Scope::kRun;
  bool required = false;
};

// In the order of the description.
std::vector<SettingReference> setting_reference();

// Where `key` would be a setting: "training.epochs" for "epochs".
std::vector<std::string> settings_named(std::string_view key);

// A Markdown page.
std::string to_markdown(const std::vector<SettingReference>& settings);

}  // namespace tacit::launcher
