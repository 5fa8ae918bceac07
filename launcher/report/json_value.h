// What a file's JSON says under a key, if it is of the right type and within its limits: the file may be anybody's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/json.h"
#include "mpc/session/cost.h"
#include "net/traffic.h"

namespace tacit::launcher {

inline constexpr std::int64_t kMostCount = std::int64_t{1} << 50;
inline constexpr std::size_t kMostText = 300;  // bytes

const Json* find(const Json& object, std::string_view key);     // null: it has none, or is no object
const Json& list_in(const Json& object, std::string_view key);  // an empty one: there is none

std::optional<double> number_in(const Json& object, std::string_view key);
std::int64_t count_in(const Json& object, std::string_view key);  // 0 ... kMostCount; 0: there is none
std::string text_in(const Json& object, std::string_view key);    // "": there is none; shortened where it is long

mpc::Cost cost_in(const Json& object);
net::PeerTraffic peer_traffic_in(const Json& object);
// Of at most `ranks` ranks.
net::Traffic traffic_in(const Json& object, int ranks);

}  // namespace tacit::launcher
