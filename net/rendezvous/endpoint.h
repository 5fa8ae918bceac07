// Endpoint is a host and a port: "node1:4711", "10.0.0.3:4711", "[fe80::1]:4711".
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit::net {

inline constexpr std::int64_t kMaxHostBytes = 255;

struct Endpoint {
  std::string host;        // a name or an address, IPv6 without brackets; empty if not given
  std::uint16_t port = 0;  // 0 if not given

  // Requires both a host and a port. Throws ConfigError.
  static Endpoint parse(std::string_view text);

  std::string text() const;
  auto operator<=>(const Endpoint&) const = default;
};

// Parses a host: a name of letters, digits, '.', '-' and '_', or an address. Brackets around an
// IPv6 address are optional. Empty if `text` is not a host.
std::optional<std::string> parse_host(std::string_view text);

}  // namespace tacit::net
