#include "net/connect.h"

namespace tacit::net {

std::unique_ptr<Mesh> connect_mesh(const RendezvousOptions& rendezvous_options, const TcpMeshOptions& mesh_options,
                                   const Identity& identity, const Roster& roster) {
  return mesh_over(rendezvous(rendezvous_options, identity, roster), mesh_options);
}

}  // namespace tacit::net
