// Setting holds the constants of one rendezvous: this rank, the expected ranks, and the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/rendezvous/conversation.h"
#include "net/rendezvous/rendezvous.h"

namespace tacit::net {

struct Setting {
  // Throws ConfigError if the options, the identity and the roster contradict each other.
  Setting(const RendezvousOptions& options, const Identity& identity, const Roster& roster);

  const RendezvousOptions options;
  const Roster roster;
  const World world;
  const std::unique_ptr<const TlsContext> tls;  // null: plaintext
  const Clock::time_point deadline;             // limit until all ranks are connected to rank 0

  // The other end's rank, as proven by its key. -1 in plaintext, where a peer's claim is believed.
  int proven_rank(const Conversation& talk) const;

  std::string describe(int rank) const;                         // "rank 2 (party)"
  std::string describe(int rank, const Endpoint& where) const;  // "rank 2 (party, 10.0.0.3:4711)"
  std::string describe(const std::vector<int>& ranks) const;    // "ranks 2 (party) and 3 (dealer)"
  void log(const std::string& line) const;
  void expect_no_objection() const;  // polls this rank's own objection and throws it

  // Deadlines of the steps after all ranks are connected. Each step leaves the previous one time to
  // fail first, so that the most specific error is reported.
  Clock::time_point links_deadline(Clock::time_point begun) const { return begun + 2 * options.handshake; }
  Clock::time_point ready_deadline(Clock::time_point begun) const { return begun + 3 * options.handshake; }
  Clock::time_point all_ready_deadline(Clock::time_point begun) const { return begun + 4 * options.handshake; }
  Clock::time_point go_deadline(Clock::time_point begun) const { return begun + 5 * options.handshake; }
};

}  // namespace tacit::net
