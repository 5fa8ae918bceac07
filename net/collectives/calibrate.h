// calibrate_all_reduce measures the algorithms on the current mesh and decides which one is used
// for which size.
//
// The thresholds depend on latency, bandwidth, the number of parties, and how many parties share a
// core; the measurement includes all four. A measurement takes a fraction of a second on a local
// network, and more if rounds are slow.
#pragma once

#include <chrono>
#include <string>

#include "net/collectives/all_reduce_model.h"
#include "net/collectives/group.h"

namespace tacit::net {

struct CalibrationOptions {
  // Approximate limit of the duration, or `rounds` times the latency of a round if that is longer.
  std::chrono::milliseconds budget{400};
  int rounds = 200;
  std::int64_t most_bytes = 16 << 20;  // largest tensor that is measured; larger ones are predicted
};

struct Calibration {
  AllReducePlan plan;                   // rank 0's plan, at every rank
  std::chrono::nanoseconds latency{0};  // of a direct all-reduce of one word
  double bytes_per_second = 0;          // sent by one party during a large all-reduce
  std::chrono::nanoseconds took{0};

  std::string text() const;  // one line for the log
};

// The bytes that it takes for a while at a party: the largest tensor, and the pieces that travel.
std::int64_t calibration_bytes(int parties);

// Every party must call it at the same time. The mesh's traffic includes its rounds and bytes.
Calibration calibrate_all_reduce(Group& group, const CalibrationOptions& options = {});

}  // namespace tacit::net
