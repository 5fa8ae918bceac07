#include "net/rendezvous/setting.h"

#include <fmt/format.h>

#include "net/descriptor_room.h"
#include "net/error.h"

namespace tacit::net {

namespace {

void require_own_key(int rank, const Identity& identity, const Roster& roster) {
  const Fingerprint& own = identity.fingerprint();
  const Fingerprint& pinned = roster.at(rank).fingerprint;
  if (own == pinned) return;
  const int owner = roster.rank_of(own);
  if (owner >= 0) {
    throw ConfigError(
        fmt::format("this process is rank {} but its key {} belongs to rank {} in the roster: start it "
                    "with RANK={} or with the key of rank {}",
                    rank, own.text(), owner, owner, rank));
  }
  throw ConfigError(
      fmt::format("the key of this process has fingerprint {}, which is not in the roster; the roster has "
                  "{} for rank {}: use that key, or put the new fingerprint into the roster of every rank",
                  own.text(), pinned.text(), rank));
}

void require_host(const std::string& host, const char* what) {
  if (!host.empty() && !parse_host(host)) {
    throw ConfigError(fmt::format("the {} \"{}\" is neither a host name nor an address", what, host));
  }
}

World checked_world(const RendezvousOptions& options, const Identity& identity, const Roster& roster) {
  const World world = roster.world(options.rank, roster.size());
  if (!options.plaintext) require_own_key(options.rank, identity, roster);
  require_host(options.master.host, "master address");
  require_host(options.listen.host, "listening address");
  require_host(options.announce, "announced address");
  if (world.size() > 1 && (options.master.host.empty() || options.master.port == 0)) {
    throw ConfigError("the address of rank 0 is not given: set MASTER_ADDR and MASTER_PORT");
  }
  // A socket for each peer, four descriptors to wait for all sockets, and the program's own files.
  constexpr int kToWait = 4, kBeside = 8;
  require_room_for_descriptors(world.size() - 1 + kToWait + kBeside,
                               fmt::format("to reach {} other ranks", world.size() - 1));
  return world;
}

}  // namespace

Setting::Setting(const RendezvousOptions& given, const Identity& identity, const Roster& everybody)
    : options(given),
      roster(everybody),
      world(checked_world(given, identity, everybody)),
      tls(given.plaintext ? nullptr : std::make_unique<TlsContext>(identity, everybody.fingerprints())),
      deadline(Clock::now() + given.deadline) {}

int Setting::proven_rank(const Conversation& talk) const {
  return talk.peer_key() ? roster.rank_of(*talk.peer_key()) : -1;
}

std::string Setting::describe(int rank) const { return fmt::format("rank {} ({})", rank, name(world.role_of(rank))); }

std::string Setting::describe(int rank, const Endpoint& where) const {
  return fmt::format("rank {} ({}, {})", rank, name(world.role_of(rank)), where.text());
}

std::string Setting::describe(const std::vector<int>& ranks) const {
  if (ranks.empty()) return "nobody";
  constexpr std::size_t kShown = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < std::min(ranks.size(), kShown); ++i) {
    const bool last = i > 0 && i + 1 == ranks.size();
    text += i == 0 ? "" : last ? " and " : ", ";
    text += fmt::format("{} ({})", ranks[i], name(world.role_of(ranks[i])));
  }
  return ranks.size() > kShown ? text + fmt::format(" and {} more", ranks.size() - kShown) : text;
}

void Setting::expect_no_objection() const {
  if (!options.objection) return;
  if (const std::exception_ptr objection = options.objection()) std::rethrow_exception(objection);
}

void Setting::log(const std::string& line) const {
  if (options.log) options.log(line);
}

}  // namespace tacit::net
