// Reads a value under a key of a file's JSON if the type is right and the value within limits: the file may come from
// another machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "launcher/json.h"

namespace tacit::launcher {

inline constexpr std::int64_t kMostCount = std::int64_t{1} << 50;
inline constexpr std::size_t kMostText = 300;  // bytes

const Json* find(const Json& object, std::string_view key);     // null: no such key, or no object
const Json& list_in(const Json& object, std::string_view key);  // empty: no such list

std::optional<double> number_in(const Json& object, std::string_view key);
std::int64_t count_in(const Json& object, std::string_view key);  // 0 ... kMostCount; 0: no such key
std::string text_in(const Json& object, std::string_view key);    // "": no such key; long texts are shortened

}  // namespace tacit::launcher
