// From four environment variables' worth of settings to a mesh that is ready for use.
#pragma once

#include <memory>
#include <string>

#include "net/mesh.h"
#include "net/rendezvous/rendezvous.h"
#include "net/tcp/tcp_mesh.h"

namespace tacit::net {

// The key of each rank, so that ranks whose rosters differ hear whose key it is; addresses may differ. Of more ranks
// than an agreement has room for, a digest of all keys.
void agree_on_keys(Agreement& agreement, const Roster& roster);

// Finds the other ranks, proves and checks identities, agrees, and returns the mesh. Throws as rendezvous() does.
std::unique_ptr<Mesh> connect_mesh(const RendezvousOptions& rendezvous_options, const TcpMeshOptions& mesh_options,
                                   const Identity& identity, const Roster& roster);

// The same for a process that was started with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, which say `rank` and
// `master` of the options. Throws ConfigError, too, where the environment and the two files do not fit together.
std::unique_ptr<Mesh> join_mesh(const std::string& key_file, const std::string& roster_file,
                                RendezvousOptions options = {});

}  // namespace tacit::net
