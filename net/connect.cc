#include "net/connect.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <cstdlib>

#include "net/rendezvous/environment.h"

namespace tacit::net {

void agree_on_keys(Agreement& agreement, const Roster& roster) {
  constexpr int kMostNamed = 64;
  std::string all;
  for (int rank = 0; rank < roster.size(); ++rank) {
    const RosterEntry& entry = roster.at(rank);
    const std::string key = fmt::format("{} {}", name(entry.role), entry.fingerprint.text());
    if (roster.size() <= kMostNamed) agreement.set(fmt::format("roster: rank {}", rank), key);
    all += key + "\n";
  }
  if (roster.size() <= kMostNamed) return;
  Fingerprint::Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(all.data()), all.size(), digest.data());
  agreement.set("roster", Fingerprint(digest).text());
}

std::unique_ptr<Mesh> connect_mesh(const RendezvousOptions& rendezvous_options, const TcpMeshOptions& mesh_options,
                                   const Identity& identity, const Roster& roster) {
  RendezvousOptions options = rendezvous_options;
  agree_on_keys(options.agreement, roster);
  return mesh_over(rendezvous(options, identity, roster), mesh_options);
}

std::unique_ptr<Mesh> join_mesh(const std::string& key_file, const std::string& roster_file,
                                RendezvousOptions options) {
  const Environment environment = read_environment([](const char* name) { return std::getenv(name); });
  const Identity identity = Identity::load(key_file);
  const Roster roster = Roster::load(roster_file);
  roster.world(environment.rank, environment.world_size);  // throws if the environment contradicts the roster
  options.rank = environment.rank;
  options.master = environment.master;
  return connect_mesh(options, {}, identity, roster);
}

}  // namespace tacit::net
