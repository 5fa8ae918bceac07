// Link — the network between two organisations, and the time that a cost takes there.
#pragma once

#include <string>

#include "mpc/session/cost.h"
#include "net/memory/link_model.h"

namespace tacit::launcher {

struct Link {
  std::string name;
  double round_trip = 0;        // seconds
  double bytes_per_second = 0;  // a rank's, to all others together; may be infinite

  static Link lan() { return {"LAN", 0.2e-3, 1e9 / 8}; }
  static Link wan() { return {"WAN", 40e-3, 100e6 / 8}; }

  std::string text() const;  // "40 ms, 100 Mbit/s"
};

// Parses "7.9ms,100Mbit", or a round trip alone. Throws ConfigError.
Link parse_link(const std::string& text);
// The link in the form of emulate_link.
net::Link emulated(const Link& link);

// The time of a rank that sends `bytes` in `rounds`: half a round trip for each round, plus the
// transfer.
double seconds(const Link& link, std::int64_t rounds, std::int64_t bytes);

// The fastest algorithm on the link, by size of the message.
net::AllReducePlan openings_for(const Link& link, int parties);

}  // namespace tacit::launcher
