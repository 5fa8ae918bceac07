// The nonce of a session (session identifier) is a hash of fresh bytes from every rank, so that no
// key of one session serves another.
#pragma once

#include <array>
#include <cstddef>

#include "net/mesh.h"

namespace tacit::mpc {

using Nonce = std::array<std::byte, 32>;

// Fresh bytes of this rank alone, from the operating system's generator.
Nonce fresh_nonce();

// Every rank of the mesh, helpers included, must call it at the same time. Each sends 32 bytes to
// every other rank.
Nonce agree_on_nonce(net::Mesh& mesh);

}  // namespace tacit::mpc
