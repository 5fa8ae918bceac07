#include "gnn/settings/setting_visitor.h"

#include <fmt/format.h>

#include "gnn/settings/setting_field.h"

namespace tacit::gnn {

void SettingVisitor::whole(const About& about, std::int64_t& value, std::int64_t least, std::int64_t most) {
  WholeField field(value, least, most);
  visit(about, field);
}

void SettingVisitor::whole(const About& about, std::uint64_t& value, std::int64_t least, std::int64_t most) {
  WholeField field(value, least, most);
  visit(about, field);
}

void SettingVisitor::whole(const About& about, int& value, std::int64_t least, std::int64_t most) {
  WholeField field(value, least, most);
  visit(about, field);
}

void SettingVisitor::one_of(const About& about, int& value, std::span<const std::int64_t> known) {
  WholeOfField field(value, known);
  visit(about, field);
}

void SettingVisitor::period(const About& about, std::int64_t& value, std::int64_t most) {
  PeriodField field(value, most);
  visit(about, field);
}

void SettingVisitor::real(const About& about, double& value, const Interval& within) {
  RealField field(value, within);
  visit(about, field);
}

void SettingVisitor::real(const About& about, std::optional<double>& value, const Interval& within) {
  if (!has(about.key, value.has_value())) return;
  double number = value.value_or(within.most);
  real(about, number, within);
  value = number;
}

void SettingVisitor::flag(const About& about, bool& value) {
  FlagField field(value);
  visit(about, field);
}

void SettingVisitor::audience(const About& about, std::optional<mpc::To>& value) {
  AudienceField field(value);
  visit(about, field);
}

void SettingVisitor::ownership(const About& about, PartOwnership& value, GraphPart part) {
  OwnershipField field(value, part);
  visit(about, field);
}

void SettingVisitor::visit_word(const About& about, std::size_t& index, std::span<const std::string_view> words) {
  WordField field(index, words);
  visit(about, field);
}

void SettingVisitor::enter(std::string_view key, std::string_view short_for) {
  tables_.push_back(path_of(key));
  entered(key, short_for);
}

void SettingVisitor::enter_item(std::string_view key, std::size_t index) {
  tables_.push_back(fmt::format("{}[{}]", path_of(key), index));
  entered_item(key, index);
}

void SettingVisitor::leave() {
  left();
  tables_.pop_back();
}

std::string SettingVisitor::path_of(std::string_view key) const {
  return tables_.empty() ? std::string(key) : fmt::format("{}.{}", tables_.back(), key);
}

}  // namespace tacit::gnn
