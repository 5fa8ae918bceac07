#include "gnn/settings/setting_list.h"

#include <fmt/format.h>

#include <map>
#include <span>

#include "gnn/settings/setting_field.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostOfValue = 80;  // characters of a value in a message

class Collector final : public SettingVisitor {
 public:
  explicit Collector(Scope scope) : scope_(scope) {}
  SettingList take() { return std::move(settings_); }

 private:
  void visit(const About& about, SettingField& field) override {
    if (about.scope >= scope_) settings_.emplace_back(path_of(about.key), to_text(field.value()));
  }

  Scope scope_;
  SettingList settings_;
};

std::map<std::string, std::string, std::less<>> by_name(std::string_view text) {
  constexpr std::string_view kIs = " = ";
  std::map<std::string, std::string, std::less<>> settings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t is = std::min(line.find(kIs), line.size());
    settings.emplace(line.substr(0, is), line.substr(std::min(is + kIs.size(), line.size())));
  }
  return settings;
}

}  // namespace

SettingList described_settings(const std::function<void(SettingVisitor&)>& describe, Scope scope) {
  Collector collector(scope);
  describe(collector);
  return collector.take();
}

mpc::Digest digest_of(const SettingList& settings) {
  std::string all;  // the length precedes each piece, so that different lists have different texts
  for (const auto& [name, value] : settings) {
    all += fmt::format("{}:{}{}:{}", name.size(), name, value.size(), value);
  }
  return mpc::digest_of(std::as_bytes(std::span(all)));
}

std::string to_text(const SettingList& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += fmt::format("{} = {}\n", name, value);
  return text;
}

std::string SettingDifference::as_change() const {
  const auto shown = [](const std::string& value) { return net::printable(value, kMostOfValue); };
  if (!before) return fmt::format("{} was not in it, and is {}", name, shown(*now));
  if (!now) return fmt::format("{} was {}, and this one has none", name, shown(*before));
  return fmt::format("{} was {} and is {}", name, shown(*before), shown(*now));
}

std::optional<SettingDifference> first_difference(std::string_view before, std::string_view now) {
  const auto then = by_name(before), today = by_name(now);
  for (const auto& [name, value] : today) {
    const auto found = then.find(name);
    if (found == then.end()) return SettingDifference{name, std::nullopt, value};
    if (found->second != value) return SettingDifference{name, found->second, value};
  }
  for (const auto& [name, value] : then) {
    if (!today.contains(name)) return SettingDifference{name, value, std::nullopt};
  }
  return std::nullopt;
}

}  // namespace tacit::gnn
