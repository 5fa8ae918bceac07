// run_align — one rank's part in `tacit data align`: which of its nodes do all parties have, and its part of the data
// again, with these nodes alone, in an order that is the same at all.
//
// It finds its seat and waits for the others as a training does. The dealer joins, too, so that all ranks are started
// alike; the parties send it nothing, and it waits for their end. A rank that fails ends all.
#pragma once

#include <chrono>

#include "launcher/answer.h"
#include "launcher/job/read_job.h"
#include "launcher/settings/seat.h"

namespace tacit::launcher {

struct AlignOrder {
  ReadJob job;
  SeatFlags seat;
  std::string out;     // "": beside the party's file, under its aligned name
  bool force = false;  // replaces `out`
  bool quiet = false;
  int threads = 0;                                               // for each rank; 0: find_threads() chooses
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for all ranks to be there
};

// Throws ConfigError where the job or this party's file cannot be aligned, or no node is common to all.
Answer run_align(const AlignOrder& order, const net::GetVariable& get);

// All parties at once, in this process: for trying it, where all files are here. `order.seat` and `out` are not used.
Answer run_align_of_all(const AlignOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
