// The link model — when bytes would leave and arrive if each rank had one network interface of a given speed.
//
// Outgoing: all peers share it; B bytes occupy it for B/bandwidth and arrive half a round trip later. Incoming: shared
// too; bytes are there at max(arrival, free + B/bandwidth), so that many senders to one receiver queue up (incast).
// Pure arithmetic on times that the caller gives; no clock, no threads, no locks.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "net/channel.h"

namespace tacit::net {

struct Link {
  std::chrono::microseconds round_trip{0};
  double bits_per_second = std::numeric_limits<double>::infinity();  // in each direction

  Clock::duration time_for(std::int64_t bytes) const;

  // Large messages are cut into pieces that take about a millisecond each.
  std::int64_t piece_bytes() const;
};

// One stream to one peer, as the outgoing interface sees it.
struct Flow {
  Clock::time_point last_departure{};
};

class OutgoingInterface {
 public:
  explicit OutgoingInterface(const Link& link) : link_(link) {}

  // When each piece of a message that is handed over now has left. A message of one piece does not wait for all of
  // another flow's long one: flows take turns, piece by piece.
  std::vector<Clock::time_point> departures(Clock::time_point now, std::span<const std::int64_t> pieces, Flow& flow);

 private:
  Link link_;
  Clock::time_point free_{};
};

class IncomingInterface {
 public:
  explicit IncomingInterface(const Link& link) : link_(link) {}

  // When a piece is there that arrived at `arrival`. Call it in the order of arrivals.
  Clock::time_point admit(Clock::time_point arrival, std::int64_t bytes);

 private:
  Link link_;
  Clock::time_point free_{};
};

}  // namespace tacit::net
