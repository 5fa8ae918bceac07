// Formation is the result of a rendezvous: authenticated connections to every other rank.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "net/tcp/wire.h"
#include "net/world.h"

namespace tacit::net {

struct Formation {
  World world;
  std::vector<std::unique_ptr<Wire>> links;  // by rank; null at our own
  std::vector<std::string> addresses;        // by rank, as text for messages
  std::array<std::byte, 16> session{};       // chosen by rank 0 for this run; public
};

}  // namespace tacit::net
