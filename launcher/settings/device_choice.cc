#include "launcher/settings/device_choice.h"

#include <fmt/format.h>

#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostCards = 1024;
constexpr std::string_view kCuda = "cuda";

std::optional<DeviceChoice> choice_in(std::string_view text) {
  if (text == "none") return DeviceChoice{DeviceChoice::Kind::kNone, {}};
  if (text == "auto") return DeviceChoice{DeviceChoice::Kind::kAuto, {}};
  if (text == kCuda) return DeviceChoice{DeviceChoice::Kind::kCuda, {}};
  if (!text.starts_with(kCuda) || text.substr(kCuda.size(), 1) != ":") return std::nullopt;
  const auto card = net::parse_decimal(text.substr(kCuda.size() + 1), 0, kMostCards - 1);
  if (!card) return std::nullopt;
  return DeviceChoice{DeviceChoice::Kind::kCuda, static_cast<int>(*card)};
}

DeviceChoice parsed(const std::string& name, const std::string& text) {
  if (const auto choice = choice_in(text)) return *choice;
  throw ConfigError(fmt::format("{} is \"{}\"; expected none, auto, cuda, or cuda:N with a card's number, as cuda:0",
                                name, net::printable(text, 80)));
}

}  // namespace

std::string DeviceChoice::text() const {
  if (kind == Kind::kNone) return "none";
  if (kind == Kind::kAuto) return "auto";
  return card ? fmt::format("{}:{}", kCuda, *card) : std::string(kCuda);
}

Sourced<DeviceChoice> find_device_choice(const std::string& flag, const net::GetVariable& get) {
  if (!flag.empty()) return {parsed(kDeviceFlag, flag), Source::flag(kDeviceFlag)};
  const char* text = get(kDeviceVariable);
  if (text != nullptr && *text != '\0') return {parsed(kDeviceVariable, text), Source::environment(kDeviceVariable)};
  return {{}, Source::by_default()};
}

}  // namespace tacit::launcher
