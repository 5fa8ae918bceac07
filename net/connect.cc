#include "net/connect.h"

#include <cstdlib>

#include "net/rendezvous/environment.h"

namespace tacit::net {

std::unique_ptr<Mesh> connect_mesh(const RendezvousOptions& rendezvous_options, const TcpMeshOptions& mesh_options,
                                   const Identity& identity, const Roster& roster) {
  return mesh_over(rendezvous(rendezvous_options, identity, roster), mesh_options);
}

std::unique_ptr<Mesh> join_mesh(const std::string& key_file, const std::string& roster_file,
                                RendezvousOptions options) {
  const Environment environment = read_environment([](const char* name) { return std::getenv(name); });
  const Identity identity = Identity::load(key_file);
  const Roster roster = Roster::load(roster_file);
  roster.world(environment.rank, environment.world_size);  // throws if they do not fit
  options.rank = environment.rank;
  options.master = environment.master;
  return connect_mesh(options, {}, identity, roster);
}

}  // namespace tacit::net
