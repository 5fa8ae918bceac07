#include "net/rendezvous/rendezvous.h"

#include "net/rendezvous/rendezvous_guest.h"
#include "net/rendezvous/rendezvous_host.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

namespace {

Formation alone(const World& world) {
  Formation formation;
  formation.world = world;
  formation.links.resize(1);
  formation.addresses = {"this process"};
  return formation;
}

}  // namespace

Formation rendezvous(const RendezvousOptions& options, const Identity& identity, const Roster& roster) {
  const Setting setting(options, identity, roster);
  if (setting.world.size() == 1) return alone(setting.world);
  if (setting.world.rank == 0) return RendezvousHost(setting).run();
  return RendezvousGuest(setting).run();
}

}  // namespace tacit::net
