// The nonce of a session: a hash of fresh bytes from every rank, so that no key of one session ever serves another.
#pragma once

#include <array>
#include <cstddef>

#include "net/mesh.h"

namespace tacit::mpc {

using Nonce = std::array<std::byte, 32>;

// Every rank of the mesh, helpers too, calls it at the same time: a message of 32 bytes to each of the others.
Nonce agree_on_nonce(net::Mesh& mesh);

}  // namespace tacit::mpc
