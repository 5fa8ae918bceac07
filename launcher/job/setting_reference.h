// Reference of a job file: lists every setting, generated from the description of the plans (the
// schema).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/settings/setting_visitor.h"

namespace tacit::launcher {

struct SettingReference {
  std::string name;       // "training.epochs", "model.layers[].kind"
  std::string allowed;    // "a whole number, 1 ... 100"
  std::string otherwise;  // the default, as written in a job file; "": no default
  std::string help;
  std::string only_with;  // `training.optimiser.kind = "adam"`; "": always
  gnn::Scope scope = gnn::Scope::kRun;
  bool required = false;
};

// All settings, in the order of the description.
std::vector<SettingReference> setting_reference();

// The settings with this last name: "training.epochs" for "epochs".
std::vector<std::string> settings_named(std::string_view key);

// Writes the reference as a Markdown page.
std::string to_markdown(const std::vector<SettingReference>& settings);

}  // namespace tacit::launcher
