// Parses a whole number that consists of decimal digits only: no sign, no space, no base prefix.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tacit::net {

// Empty unless `text` is a number within [least, most].
inline std::optional<std::int64_t> parse_decimal(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < least || value > most) return std::nullopt;
  return value;
}

}  // namespace tacit::net
