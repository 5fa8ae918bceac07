// run_rank — all that one rank does for a job, from its files to its results: what every launcher starts.
//
// It finds its seat, waits for the other ranks, trains or predicts with them, writes what was revealed to it, and
// leaves an account of it in its output folder. Where it fails, all ranks are told why, and end.
#pragma once

#include <chrono>

#include "launcher/answer.h"
#include "launcher/job/read_job.h"
#include "launcher/settings/link.h"
#include "launcher/settings/seat.h"

namespace tacit::launcher {

enum class Goal { kTrain, kPredict };

// What a training does with the checkpoints of an earlier one; the same at every rank.
enum class Start {
  kGoOn,    // from one that all parties hold, if there is one
  kResume,  // only so
  kAfresh,  // never: what is in the output folder is moved aside
};

struct RankOrder {
  ReadJob job;
  SeatFlags seat;
  Goal goal = Goal::kTrain;
  Start start = Start::kGoOn;
  bool quiet = false;
  bool check_memory = true;              // refuse a job that needs more memory than this machine has
  std::optional<net::Endpoint> metrics;  // where they are served
  int segment = 0;                       // as net::RendezvousOptions has it
  int threads = 0;                       // 0: find_threads() chooses
  std::optional<Link> emulated;          // the same at every rank, all on this machine
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for all ranks to be there
  std::string resume_command;                                    // for the user, if it fails; "": a launcher's to say
  std::string launch;                                            // its name; "": none
};

// Who sets it starts the ranks, and starts them again: how is not for each of them to say. Its value is the launch's
// name, the same at every rank and in every restart: a rank goes on with what this launch has begun afresh. Any other
// value is no name.
inline constexpr const char* kLaunchedVariable = "TACIT_LAUNCHED";
bool is_launch(const std::string& name);  // 16 hexadecimal digits

// Throws ConfigError where this process is no rank of the job, and RunFailed beyond that.
Answer run_rank(const RankOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
