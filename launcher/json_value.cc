#include "launcher/json_value.h"

#include <charconv>
#include <cmath>

#include "launcher/untrusted_text.h"

namespace tacit::launcher {

namespace {

// A peer's number; -1 if the text is no rank.
int rank_of(const std::string& text) {
  int rank = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  return error == std::errc() && end == text.data() + text.size() ? rank : -1;
}

}  // namespace

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

mpc::Cost cost_in(const Json& object) {
  return {.rounds = count_in(object, "rounds"),
          .bytes = count_in(object, "bytes"),
          .messages = count_in(object, "messages"),
          .dealt_bytes = count_in(object, "dealt_bytes"),
          .dealt_messages = count_in(object, "dealt_messages")};
}

net::PeerTraffic peer_traffic_in(const Json& object) {
  net::PeerTraffic traffic;
  traffic.payload_sent = count_in(object, "payload_sent");
  traffic.payload_received = count_in(object, "payload_received");
  traffic.wire_sent = count_in(object, "wire_sent");
  traffic.wire_received = count_in(object, "wire_received");
  traffic.messages_sent = count_in(object, "messages_sent");
  traffic.messages_received = count_in(object, "messages_received");
  traffic.packets_sent = count_in(object, "packets_sent");
  traffic.packets_received = count_in(object, "packets_received");
  traffic.retransmissions = count_in(object, "retransmissions");
  traffic.rtt = std::chrono::microseconds(count_in(object, "rtt_us"));
  return traffic;
}

net::Traffic traffic_in(const Json& object, int ranks) {
  net::Traffic traffic;
  traffic.rounds = count_in(object, "rounds");
  const Json* peers = find(object, "peers");
  if (peers == nullptr || !peers->is_object()) return traffic;
  for (const auto& [name, peer] : peers->items()) {
    const int rank = rank_of(name);
    if (rank < 0 || rank >= ranks) continue;
    if (traffic.peers.size() <= static_cast<std::size_t>(rank))
      traffic.peers.resize(static_cast<std::size_t>(rank) + 1);
    traffic.peers[static_cast<std::size_t>(rank)] = peer_traffic_in(peer);
  }
  return traffic;
}

}  // namespace tacit::launcher
