// Compares the profiles of two sessions that ran one program. Everything must be equal except
// times.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mpc/session/profile.h"

namespace tacit::mpc {

using CostsByPart = std::vector<std::pair<std::string, std::vector<ProtocolCost>>>;

// Parts without any cost are left out.
inline CostsByPart costs_by_part(const Profile& profile) {
  CostsByPart costs;
  for (const Profile::Part& part : profile.parts) {
    if (part.protocols.empty()) continue;
    auto& own = costs.emplace_back(part.name, std::vector<ProtocolCost>()).second;
    for (const Profile::Protocol& one : part.protocols) own.push_back(one.stated);
  }
  return costs;
}

}  // namespace tacit::mpc
