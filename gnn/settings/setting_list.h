// SettingList — the settings of a plan as pairs of name and text, in the order of their
// description.
//
// Ranks compare the list before a session. Checkpoints and reports store its hash. An error names
// the first setting in which two lists differ.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gnn/settings/setting_visitor.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

using SettingList = std::vector<std::pair<std::string, std::string>>;  // "training.epochs", "100"

// Collects the settings that must be equal within `scope` or within a wider scope.
SettingList described_settings(const std::function<void(SettingVisitor&)>& describe, Scope scope);
// The same for a struct with describe(visitor).
template <typename Settings>
SettingList settings_of(const Settings& settings, Scope scope) {
  Settings copy = settings;  // describe() may change members
  return described_settings([&copy](SettingVisitor& visitor) { copy.describe(visitor); }, scope);
}

// Digest of the list. Different lists have different digests.
mpc::Digest digest_of(const SettingList& settings);

// Writes one line for each setting: "training.epochs = 100".
std::string to_text(const SettingList& settings);

// The first setting in which two such texts differ. A text without the setting has no value.
struct SettingDifference {
  std::string name;
  std::optional<std::string> before, now;

  std::string as_change() const;  // "training.epochs was 100 and is 50"
};
std::optional<SettingDifference> first_difference(std::string_view before, std::string_view now);

}  // namespace tacit::gnn
