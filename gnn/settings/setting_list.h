// SettingList — the settings of a plan as names and texts, in the order of their description: what ranks compare before a
// session, what checkpoints and reports are hashed by, and what an error names where two plans differ.
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

// The settings that must be equal within `scope`, or within a wider one.
SettingList described_settings(const std::function<void(SettingVisitor&)>& describe, Scope scope);
// The same of any settings with describe(visitor).
template <typename Settings>
SettingList settings_of(const Settings& settings, Scope scope) {
  Settings copy = settings;  // describing takes what it may change
  return described_settings([&copy](SettingVisitor& visitor) { copy.describe(visitor); }, scope);
}

// Equal for equal lists, and for no others.
mpc::Digest digest_of(const SettingList& settings);

// A line for each: "training.epochs = 100".
std::string to_text(const SettingList& settings);

// The first setting in which two such texts differ. A side that lacks it has none.
struct SettingDifference {
  std::string name;
  std::optional<std::string> before, now;

  std::string as_change() const;  // "training.epochs was 100 and is 50"
};
std::optional<SettingDifference> first_difference(std::string_view before, std::string_view now);

}  // namespace tacit::gnn
