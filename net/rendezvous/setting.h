// Setting — what stays the same throughout a rendezvous: who we are, whom we expect, how we were configured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/rendezvous/conversation.h"
#include "net/rendezvous/rendezvous.h"

namespace tacit::net {

struct Setting {
  // Throws ConfigError if the options, the identity and the roster do not fit together.
  Setting(const RendezvousOptions& options, const Identity& identity, const Roster& roster);

  const RendezvousOptions options;
  const Roster roster;
  const World world;
  const std::unique_ptr<const TlsContext> tls;  // null: plaintext
  const Clock::time_point deadline;             // for everybody to be there

  // The rank whose key the other end has proven; -1 in plaintext, where a peer is who it claims to be.
  int proven_rank(const Conversation& talk) const;

  std::string describe(int rank) const;                         // "rank 2 (party)"
  std::string describe(int rank, const Endpoint& where) const;  // "rank 2 (party, 10.0.0.3:4711)"
  std::string describe(const std::vector<int>& ranks) const;    // "ranks 2 (party) and 3 (dealer)"
  void log(const std::string& line) const;
  void expect_no_objection() const;  // of this rank's own; throws it

  // Of the steps that follow once everybody is there. Each leaves the one before it time to fail first, so that the
  // error that arrives is the one that knows most.
  Clock::time_point links_deadline(Clock::time_point begun) const { return begun + 2 * options.handshake; }
  Clock::time_point ready_deadline(Clock::time_point begun) const { return begun + 3 * options.handshake; }
  Clock::time_point all_ready_deadline(Clock::time_point begun) const { return begun + 4 * options.handshake; }
  Clock::time_point go_deadline(Clock::time_point begun) const { return begun + 5 * options.handshake; }
};

}  // namespace tacit::net
