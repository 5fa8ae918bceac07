// The link model computes when bytes leave and arrive if each rank has one network interface of a
// given speed.
//
// All peers share the outgoing interface. B bytes occupy it for B/bandwidth and arrive half a round
// trip later. All peers share the incoming interface, too: bytes are available at max(arrival,
// free + B/bandwidth), so that many senders to one receiver queue up (incast). The model is
// arithmetic on the caller's times, without a clock, threads or locks.
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

  // Size of the pieces of a large message. Each piece takes about a millisecond.
  std::int64_t piece_bytes() const;
};

// One stream to one peer at the outgoing interface.
struct Flow {
  Clock::time_point last_departure{};
};

class OutgoingInterface {
 public:
  explicit OutgoingInterface(const Link& link) : link_(link) {}

  // Returns the departure time of each piece of a message that is submitted now. Flows take turns,
  // piece by piece: a message of one piece does not wait for the whole long message of another
  // flow.
  std::vector<Clock::time_point> departures(Clock::time_point now, std::span<const std::int64_t> pieces, Flow& flow);

 private:
  Link link_;
  Clock::time_point free_{};
};

class IncomingInterface {
 public:
  explicit IncomingInterface(const Link& link) : link_(link) {}

  // Returns when a piece that arrives at `arrival` is available. Call it in the order of arrivals.
  Clock::time_point admit(Clock::time_point arrival, std::int64_t bytes);

 private:
  Link link_;
  Clock::time_point free_{};
};

}  // namespace tacit::net
