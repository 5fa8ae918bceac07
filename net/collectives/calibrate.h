// calibrate_all_reduce — tries the algorithms on the mesh at hand and settles which one is used for which size.
//
// The threshold between them depends on latency, bandwidth, the number of parties and how many of them share a core;
// measured, all of that is in it. Takes a fraction of a second on a local network, more where rounds are slow.
#pragma once

#include <chrono>
#include <string>

#include "net/collectives/all_reduce_model.h"
#include "net/collectives/group.h"

namespace tacit::net {

struct CalibrationOptions {
  // About what it may take; or so many times the latency of a round, where that is more.
  std::chrono::milliseconds budget{400};
  int rounds = 200;
  std::int64_t most_bytes = 16 << 20;  // of a tensor that is tried; how larger ones do is predicted
};

struct Calibration {
  AllReducePlan plan;                   // rank 0's, at every rank
  std::chrono::nanoseconds latency{0};  // of a direct all-reduce of one word
  double bytes_per_second = 0;          // that one party sends while a large tensor is all-reduced
  std::chrono::nanoseconds took{0};

  std::string text() const;  // one line for the log
};

// Every party calls it at the same time. Rounds and bytes are counted in the mesh's traffic as any other.
Calibration calibrate_all_reduce(Group& group, const CalibrationOptions& options = {});

}  // namespace tacit::net
