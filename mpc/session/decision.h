// The message of decide(): one byte from rank 0, which is 1 to go on and 0 to stop.
#pragma once

#include <fmt/format.h>

#include <cstddef>

#include "net/error.h"
#include "net/mesh.h"

namespace tacit::mpc {

inline bool decision_of(std::byte outcome, const net::Mesh& mesh) {
  if (outcome > std::byte{1}) throw ProtocolError(fmt::format("{} sent no decision", mesh.describe(0)), 0);
  return outcome == std::byte{1};
}

}  // namespace tacit::mpc
