#include "launcher/report/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tacit::launcher {

namespace {

constexpr const char* kNarrowSpace = "\xe2\x80\xaf";  // U+202F: no line ends there

struct NamedSize {
  double size;
  const char* name;
};
constexpr std::array<NamedSize, 5> kBytes = {{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};
constexpr std::array<NamedSize, 5> kSeconds = {{{1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}}};

// The largest that is not above the value.
Unit largest_within(const std::array<NamedSize, 5>& sizes, double value) {
  const NamedSize* chosen = &sizes.front();
  for (const NamedSize& one : sizes) {
    const bool minutes = one.size == 60 || one.size == 3600;  // 90 s is written in seconds
    const double from = minutes ? 3 * one.size : one.size;
    if (std::abs(value) >= from) chosen = &one;
  }
  return {chosen->size, chosen->name};
}

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

}  // namespace

Unit unit_for(Quantity quantity, double largest) {
  if (quantity == Quantity::kSeconds) return largest == 0 ? Unit{1, "s"} : largest_within(kSeconds, largest);
  if (quantity == Quantity::kPercent) return {1, "%"};
  return quantity == Quantity::kBytes ? largest_within(kBytes, largest) : Unit{};
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, kNarrowSpace);
  }
  return digits;
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e9) return fmt::format("{:.3e}", value);
  if (size >= 1e4) return grouped(std::llround(value));
  return size >= 1e3 ? fmt::format("{:.0f}", value) : fmt::format("{:#.4g}", value);
}

std::string text_of(Quantity quantity, double value) {
  if (quantity == Quantity::kNumber) return number_text(value);
  if (quantity == Quantity::kCount)
    return is_whole(value) ? grouped(static_cast<std::int64_t>(value)) : number_text(value);
  const Unit unit = unit_for(quantity, value);
  if (quantity == Quantity::kBytes && unit.size == 1) return fmt::format("{:.0f} B", value);
  return fmt::format("{} {}", number_text(value / unit.size), unit.name);
}

}  // namespace tacit::launcher
