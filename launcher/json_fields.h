// The keys of a struct in JSON, stated once: json_of writes by them, and struct_in reads by them, with limits.
//
//   struct Visit {
//     std::string place;
//     std::int64_t count = 0;
//   };
//   constexpr auto fields_of(Type<Visit>) {
//     return std::tuple(Field("place", &Visit::place), Field("count", &Visit::count));
//   }
//
// A file may come from another machine: a field that is missing, of another type or beyond its limit keeps the value of
// an empty struct, and a list keeps its first kMostItems objects.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "launcher/json_value.h"

namespace tacit::launcher {

inline constexpr std::size_t kMostItems = 1000;

// Stands for the struct in an overload of fields_of. Thus the launcher can describe a struct of another layer.
template <typename T>
struct Type {};

template <typename T>
concept Described = requires {
  fields_of(Type<T>());
};

using Limit = std::optional<double>;

template <typename T, typename Value>
struct Field {
  // `limit`: the items of a list; or the largest number, where a negative number becomes 0.
  constexpr Field(const char* its_name, Value T::*its_member, Limit limit = {})
      : name(its_name), member(its_member), most(limit) {}
  const char* name;
  Value T::*member;
  Limit most;
};

// A described member: the struct's JSON has the fields of the member, not the member.
template <typename T, typename Value>
struct Inlined {
  explicit constexpr Inlined(Value T::*its_member) : member(its_member) {}
  Value T::*member;
};

// Lists leave out an object that is not usable. Overload it for a struct that needs one of its fields.
template <typename T>
bool is_usable(const Json&, Type<T>) {
  return true;
}

template <Described T>
T struct_in(const Json& object);

inline void read_field(const Json& from, const char* key, std::string& value, Limit) { value = text_in(from, key); }
inline void read_field(const Json& from, const char* key, std::int64_t& value, Limit) { value = count_in(from, key); }
inline void read_field(const Json& from, const char* key, std::chrono::microseconds& value, Limit) {
  value = std::chrono::microseconds(count_in(from, key));
}
inline void read_field(const Json& from, const char* key, std::optional<double>& value, Limit) {
  value = number_in(from, key);
}
inline void read_field(const Json& from, const char* key, double& value, Limit most) {
  value = number_in(from, key).value_or(0);
  if (most) value = std::clamp(value, 0.0, *most);
}
inline void read_field(const Json& from, const char* key, bool& value, Limit) {
  const Json* found = find(from, key);
  value = found != nullptr && found->is_boolean() && found->get<bool>();
}
template <Described T>
void read_field(const Json& from, const char* key, T& value, Limit) {
  if (const Json* found = find(from, key)) value = struct_in<T>(*found);
}
template <Described T>
void read_field(const Json& from, const char* key, std::optional<T>& value, Limit = {}) {
  if (const Json* found = find(from, key)) value = struct_in<T>(*found);
}
template <Described T>
void read_field(const Json& from, const char* key, std::vector<T>& list, Limit most = {}) {
  list.clear();
  for (const Json& one : list_in(from, key)) {
    if (static_cast<double>(list.size()) >= most.value_or(kMostItems)) break;
    if (is_usable(one, Type<T>())) list.push_back(struct_in<T>(one));
  }
}

template <typename T, typename Value>
void read_member(const Json& object, T& one, const Field<T, Value>& field) {
  read_field(object, field.name, one.*field.member, field.most);
}
template <typename T, typename Value>
void read_member(const Json& object, T& one, const Inlined<T, Value>& field) {
  one.*field.member = struct_in<Value>(object);
}

template <Described T>
T struct_in(const Json& object) {
  T one;
  std::apply([&](const auto&... field) { (read_member(object, one, field), ...); }, fields_of(Type<T>()));
  return one;
}

// An empty text and an empty optional become null.
inline Json json_of(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
inline Json json_of(std::chrono::microseconds time) { return time.count(); }
template <typename T>
Json json_of(const std::optional<T>& value);
template <typename T>
Json json_of(const std::vector<T>& values);
template <typename T>
Json json_of(const T& value);

template <typename T, typename Value>
void add_member(Json& json, const T& one, const Field<T, Value>& field) {
  json[field.name] = json_of(one.*field.member);
}
template <typename T, typename Value>
void add_member(Json& json, const T& one, const Inlined<T, Value>& field) {
  json.update(json_of(one.*field.member));
}

template <typename T>
Json json_of(const T& value) {
  if constexpr (Described<T>) {
    Json json = Json::object();
    std::apply([&](const auto&... field) { (add_member(json, value, field), ...); }, fields_of(Type<T>()));
    return json;
  } else {
    return value;
  }
}
template <typename T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}
template <typename T>
Json json_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}

}  // namespace tacit::launcher
