// Link — what lies between two organisations, and how long a cost takes there.
#pragma once

#include <string>

#include "mpc/session/cost.h"
#include "net/memory/link_model.h"

namespace tacit::launcher {

struct Link {
  std::string name;
  double round_trip = 0;        // seconds
  double bytes_per_second = 0;  // that one rank sends, to all others together; may be infinite

  static Link lan() { return {"LAN", 0.2e-3, 1e9 / 8}; }
  static Link wan() { return {"WAN", 40e-3, 100e6 / 8}; }

  std::string text() const;  // "40 ms, 100 Mbit/s"
};

// "7.9ms,100Mbit", or a round trip alone. Throws ConfigError.
Link parse_link(const std::string& text);
// For emulate_link.
net::Link emulated(const Link& link);

// A rank that sends so much in so many rounds: a round takes half a round trip, and links carry bytes meanwhile.
double seconds(const Link& link, std::int64_t rounds, std::int64_t bytes);

// The algorithm that takes least there, by size.
net::AllReducePlan openings_for(const Link& link, int parties);

}  // namespace tacit::launcher
