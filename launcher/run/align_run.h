// run_align — one rank's work in `tacit data align`, private set intersection (PSI) on the nodes'
// ids. The party writes a copy of its part with the nodes that all parties have, in an order that
// is the same at all parties.
//
// The rank finds its seat and waits for the other ranks, as in a training. The dealer joins as
// well, so that all ranks are started alike. The parties send the dealer nothing, and it waits for
// their end. A rank that fails ends all ranks.
#pragma once

#include <chrono>

#include "launcher/answer.h"
#include "launcher/job/read_job.h"
#include "launcher/settings/seat.h"

namespace tacit::launcher {

struct AlignOrder {
  ReadJob job;
  SeatFlags seat;
  std::string out;     // "": the aligned name, beside the party's file
  bool force = false;  // replaces `out`
  bool quiet = false;
  int threads = 0;                                               // for each rank; 0: find_threads() chooses
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for all ranks to be there
};

// Throws ConfigError if the job or the party's file cannot be aligned, or if the parties have no
// common node.
Answer run_align(const AlignOrder& order, const net::GetVariable& get);

// Aligns all parties in this process, as a trial with all files here. `order.seat` and `out` are not used.
Answer run_align_of_all(const AlignOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
