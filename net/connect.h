// From four environment variables' worth of settings to a mesh that is ready for use.
#pragma once

#include <memory>

#include "net/rendezvous/rendezvous.h"
#include "net/tcp/tcp_mesh.h"

namespace tacit::net {

// Finds the other ranks, proves and checks identities, agrees, and returns the mesh. Throws as rendezvous() does.
std::unique_ptr<Mesh> connect_mesh(const RendezvousOptions& rendezvous_options, const TcpMeshOptions& mesh_options,
                                   const Identity& identity, const Roster& roster);

}  // namespace tacit::net
