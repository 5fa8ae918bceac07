// connect_mesh and join_mesh connect this process to the other ranks and return a mesh.
#pragma once

#include <memory>
#include <string>

#include "net/mesh.h"
#include "net/rendezvous/rendezvous.h"
#include "net/tcp/tcp_mesh.h"

namespace tacit::net {

// Adds the key of each rank to the agreement, so that an error names the rank at which two rosters
// have different keys. Addresses may differ. If the ranks exceed the agreement's limit, it gets a
// digest of all keys.
void agree_on_keys(Agreement& agreement, const Roster& roster);

// Finds the other ranks, checks identities, compares the agreements, and returns the mesh. Throws
// as rendezvous() does.
std::unique_ptr<Mesh> connect_mesh(const RendezvousOptions& rendezvous_options, const TcpMeshOptions& mesh_options,
                                   const Identity& identity, const Roster& roster);

// Does the same as connect_mesh for a process with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT in
// its environment, which replace `rank` and `master` of the options. Also throws ConfigError if the
// environment contradicts the two files.
std::unique_ptr<Mesh> join_mesh(const std::string& key_file, const std::string& roster_file,
                                RendezvousOptions options = {});

}  // namespace tacit::net
