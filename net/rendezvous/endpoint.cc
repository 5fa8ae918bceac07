#include "net/rendezvous/endpoint.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::net {

namespace {

bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '.' || c == '-' || c == '_'; });
}

// A zone ("fe80::1%eth0") names an interface of this machine.
bool is_ipv6(std::string_view text) {
  const std::size_t percent = text.find('%');
  if (percent != std::string_view::npos) {
    const std::string_view zone = text.substr(percent + 1);
    if (zone.empty() || !is_name(zone)) return false;
  }
  in6_addr address{};
  return ::inet_pton(AF_INET6, std::string(text.substr(0, percent)).c_str(), &address) == 1;
}

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw ConfigError(
      fmt::format("\"{}\" is not an address: {}; expected host:port, an IPv6 address as [host]:port, with a port "
                  "within 1 ... 65535",
                  printable(text, 100), why));
}

}  // namespace

std::optional<std::string> parse_host(std::string_view text) {
  if (text.empty() || std::ssize(text) > kMaxHostBytes + 2) return std::nullopt;
  const bool bracketed = text.front() == '[' && text.back() == ']';
  if (bracketed) text = text.substr(1, text.size() - 2);
  if (text.empty() || std::ssize(text) > kMaxHostBytes) return std::nullopt;
  if (!is_ipv6(text) && (bracketed || !is_name(text))) return std::nullopt;
  return std::string(text);
}

Endpoint Endpoint::parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) refuse(text, "it names no port");
  const std::string_view before = text.substr(0, colon);
  if (before.find(':') != std::string_view::npos && before.front() != '[') {
    refuse(text, "an IPv6 address needs brackets before its port");
  }
  const auto host = parse_host(before);
  if (!host) refuse(text, "its host is neither a name nor an address");
  const auto port = parse_decimal(text.substr(colon + 1), 1, 65535);
  if (!port) refuse(text, "its port is none");
  return {*host, static_cast<std::uint16_t>(*port)};
}

std::string Endpoint::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

}  // namespace tacit::net
