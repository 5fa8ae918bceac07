// Endpoint — a host and a port: "node1:4711", "10.0.0.3:4711", "[fe80::1]:4711".
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit::net {

inline constexpr std::int64_t kMaxHostBytes = 255;

struct Endpoint {
  std::string host;        // a name or an address, IPv6 without brackets; empty where none is given
  std::uint16_t port = 0;  // 0 where none is given

  // Both parts must be there. Throws ConfigError.
  static Endpoint parse(std::string_view text);

  std::string text() const;
  auto operator<=>(const Endpoint&) const = default;
};

// The host that `text` writes, with or without brackets around an IPv6 address; nothing if it writes none: a name of
// letters, digits, '.', '-' and '_', or an address.
std::optional<std::string> parse_host(std::string_view text);

}  // namespace tacit::net
