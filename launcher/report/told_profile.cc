#include "launcher/report/told_profile.h"

#include <algorithm>

#include "launcher/json_value.h"

namespace tacit::launcher {

namespace {

double seconds_in(const Json& object, std::string_view key) {
  return std::clamp(number_in(object, key).value_or(0), 0.0, kMostSecondsTold);
}

ToldTime time_in(const Json& object) {
  return {seconds_in(object, "seconds"), seconds_in(object, "waited_for_parties"),
          seconds_in(object, "waited_for_dealer")};
}

ToldProfile::Part part_in(const Json& object) {
  ToldProfile::Part part = {text_in(object, "part"), count_in(object, "times"), time_in(object), {}};
  for (const Json& one : list_in(object, "protocols")) {
    if (part.protocols.size() >= kMostProtocolsTold) break;
    const Json* cost = find(one, "cost");
    part.protocols.push_back({text_in(one, "protocol"), count_in(one, "calls"), time_in(one),
                              cost == nullptr ? mpc::Cost() : cost_in(*cost)});
  }
  return part;
}

ToldProfile::Parts parts_in(const Json& object, std::string_view key) {
  ToldProfile::Parts parts;
  for (const Json& one : list_in(object, key)) {
    if (parts.size() >= kMostPartsTold) break;
    parts.push_back(part_in(one));
  }
  return parts;
}

}  // namespace

ToldProfile profile_in(const Json& profile) {
  return {parts_in(profile, "before"), parts_in(profile, "first_epoch"), count_in(profile, "epochs"),
          parts_in(profile, "parts"), parts_in(profile, "after")};
}

}  // namespace tacit::launcher
