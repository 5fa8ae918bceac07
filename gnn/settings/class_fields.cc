#include "gnn/settings/class_fields.h"

#include <fmt/format.h>

namespace tacit::gnn {

void ClassNamesField::read(const SettingValue& value) {
  const auto* list = std::get_if<SettingValue::List>(&value.content);
  if (list == nullptr || list->empty()) expected(allowed(), value);
  ClassNames names;
  for (const SettingValue& one : *list) {
    if (one.text() == nullptr) expected(allowed(), one);
    names.push_back(*one.text());
  }
  check_class_names(names);
  names_ = std::move(names);
}

SettingValue ClassNamesField::value() const {
  SettingValue::List list;
  for (const std::string& name : names_) list.push_back({name});
  return {list};
}

std::string ClassNamesField::allowed() const {
  return fmt::format("a list with a name for each class, of 1 ... {} bytes", kMostClassNameBytes);
}

void ClassField::read(const SettingValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.content);
  const std::string* name = value.text();
  const std::optional<std::int64_t> found = number != nullptr ? std::optional(*number)
                                            : name != nullptr ? class_named(names_, *name)
                                                              : std::nullopt;
  if (!found || *found < 0 || *found > kMostClasses) expected(allowed(), value);
  number_ = *found;
}

SettingValue ClassField::value() const {
  if (number_ < 0 || number_ >= std::ssize(names_)) return {number_};
  return {names_[static_cast<std::size_t>(number_)]};
}

std::string ClassField::allowed() const {
  if (names_.empty()) return "the number of a class, from 0 on, or a name in data.class_names";
  return fmt::format("a class ({}), or its number, from 0 on", list_of(names_));
}

}  // namespace tacit::gnn
