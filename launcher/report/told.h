// Structs that are read from a run's files. Each describes its fields once in fields(), for reading with limits and for
// writing.
//
//   struct ToldReveal {
//     std::string what;
//     std::int64_t count = 0;
//     static constexpr auto fields() {
//       return std::tuple(told_field("what", &ToldReveal::what), told_field("count", &ToldReveal::count));
//     }
//   };
//
// The files may come from another machine: a field that is missing, of another type or beyond its limit keeps the value
// of an empty struct, and a list keeps its first kMostItems objects.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "launcher/json_value.h"

namespace tacit::launcher {

inline constexpr std::size_t kMostItems = 1000;

template <typename T>
concept Told = requires {
  T::fields();
};

template <typename T, typename Value>
struct ToldField {
  const char* name;
  Value T::*member;
};

template <typename T, typename Value>
constexpr ToldField<T, Value> told_field(const char* name, Value T::*member) {
  return {name, member};
}

template <typename T, typename Visit>
void visit_fields(const Visit& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, T::fields());
}

inline void read(const Json& object, const char* name, std::string& value) { value = text_in(object, name); }
inline void read(const Json& object, const char* name, std::int64_t& value) { value = count_in(object, name); }
inline void read(const Json& object, const char* name, double& value) { value = number_in(object, name).value_or(0); }
inline void read(const Json& object, const char* name, bool& value) {
  const Json* found = find(object, name);
  value = found != nullptr && found->is_boolean() && found->get<bool>();
}

template <Told T>
T told_in(const Json& object) {
  T told;
  visit_fields<T>([&](const auto& field) { read(object, field.name, told.*field.member); });
  return told;
}

template <Told T>
std::vector<T> told_list_in(const Json& object, const char* name) {
  std::vector<T> list;
  for (const Json& one : list_in(object, name)) {
    if (list.size() < kMostItems) list.push_back(told_in<T>(one));
  }
  return list;
}

inline Json told_json(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
template <typename T>
Json told_json(const std::optional<T>& value);
template <typename T>
Json told_json(const std::vector<T>& values);

template <typename T>
Json told_json(const T& value) {
  if constexpr (Told<T>) {
    Json json = Json::object();
    visit_fields<T>([&](const auto& field) { json[field.name] = told_json(value.*field.member); });
    return json;
  } else {
    return value;
  }
}
template <typename T>
Json told_json(const std::optional<T>& value) {
  return value ? told_json(*value) : Json(nullptr);
}
template <typename T>
Json told_json(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(told_json(value));
  return json;
}

}  // namespace tacit::launcher
