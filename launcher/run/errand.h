// Errand — common work of a job's ranks besides training and predicting: `tacit data align`, `tacit data
// sum-statistics`.
//
// The rank finds its seat and waits for the other ranks, as in a training. The dealer joins as well, so that all
// ranks are started alike; the parties send it nothing, and it waits for their end. A rank that fails ends all ranks.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "launcher/answer.h"
#include "launcher/job/read_job.h"
#include "launcher/run/progress.h"
#include "launcher/settings/seat.h"
#include "net/mesh.h"

namespace tacit::launcher {

struct ErrandOrder {
  ReadJob job;
  SeatFlags seat;
  bool quiet = false;
  int threads = 0;                                               // for each rank; 0: find_threads() chooses
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for all ranks to be there
};

struct Errand {
  std::string_view name;                                         // the command's words
  std::string_view at_dealer;                                    // a sentence for the dealer's user
  std::chrono::milliseconds patience{std::chrono::minutes(10)};  // with a party that computes

  // A party's part in the errand.
  struct Part {
    std::function<void()> read;  // reads the party's own files before the ranks meet; its errors are sent to the others
    std::function<Answer(net::Mesh&, Progress&)> over;
    std::function<void()> tidy;  // after a signal, before the process ends
  };
  std::function<Part(int rank, int threads)> part_of;
  std::function<void(net::Mesh&)> of_dealer = {};  // the dealer's steps in the protocol of the parties; empty: none
};

// Throws the error of this rank, or of the rank that ended all others.
Answer run_errand(const ErrandOrder& order, const Errand& errand, const net::GetVariable& get);

// All parties in this process, as a trial with all files here. `order.seat` is not used.
Answer run_errand_of_all(const ErrandOrder& order, const Errand& errand, const net::GetVariable& get);

}  // namespace tacit::launcher
