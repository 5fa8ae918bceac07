// Json — the JSON type of the launcher. Keys keep the order of insertion.
#pragma once

#include <nlohmann/json.hpp>
#include <utility>

namespace tacit::launcher {

using Json = nlohmann::ordered_json;

inline constexpr int kMostDepthOfJson = 32;

// Parses text that another machine or another user may have written: a stream or a string. Returns a discarded value if it is
// no JSON, or if its values lie deeper than kMostDepthOfJson: to copy or to print a value takes stack for each level.
template <class Input>
Json json_from_outside(Input&& input) {
  bool deep = false;
  const auto shallow = [&](int depth, Json::parse_event_t, const Json&) {
    deep = deep || depth > kMostDepthOfJson;
    return !deep;
  };
  Json json = Json::parse(std::forward<Input>(input), shallow, false);
  return deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace tacit::launcher
