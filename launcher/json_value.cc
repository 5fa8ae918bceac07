#include "launcher/json_value.h"

#include <cmath>

#include "launcher/untrusted_text.h"

namespace tacit::launcher {

const Json* find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(key));
  return found == object.end() ? nullptr : &*found;
}

const Json& list_in(const Json& object, std::string_view key) {
  static const Json none = Json::array();
  const Json* list = find(object, key);
  return list != nullptr && list->is_array() ? *list : none;
}

std::optional<double> number_in(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const auto number = value->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::int64_t count_in(const Json& object, std::string_view key) {
  const std::optional<double> number = number_in(object, key);
  if (!number || *number < 0 || *number > static_cast<double>(kMostCount)) return 0;
  return static_cast<std::int64_t>(*number);  // exact: below 2^53
}

std::string text_in(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  if (value == nullptr || !value->is_string()) return "";
  return shortened(value->get_ref<const std::string&>(), kMostText);
}

}  // namespace tacit::launcher
