// run_rank — runs one rank of a job, from its files to its results. Every launcher starts this
// function.
//
// The rank finds its seat, waits for the other ranks, trains, predicts or serves with them, writes the
// values revealed to it, and leaves an account in its output folder. After an error the other ranks
// get its message, and all ranks end.
#pragma once

#include <chrono>

#include "launcher/answer.h"
#include "launcher/job/read_job.h"
#include "launcher/settings/link.h"
#include "launcher/settings/seat.h"

namespace tacit::launcher {

enum class Goal { kTrain, kPredict, kServe };

// How a training uses the checkpoints of an earlier one; equal at every rank.
enum class Start {
  kGoOn,    // resume from an epoch that all parties hold, if there is one
  kResume,  // resume, or fail
  kAfresh,  // start anew, and move the contents of the output folder aside
};

struct RankOrder {
  ReadJob job;
  SeatFlags seat;
  Goal goal = Goal::kTrain;
  Start start = Start::kGoOn;
  bool quiet = false;
  bool check_memory = true;              // refuse a job that needs more memory than this machine has
  std::optional<net::Endpoint> metrics;  // the address that serves the metrics
  int segment = 0;                       // the same as net::RendezvousOptions::segment
  int threads = 0;                       // 0: find_threads() chooses
  std::string device;                    // "": find_device_choice() chooses
  bool own_cpus = false;                 // no other rank uses this process' CPUs
  std::optional<Link> emulated;          // the same at every rank, all on this machine
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for all ranks to be there
  std::string resume_command;  // for the user after a failure; "": a launcher prints it
  std::string launch;          // its name; "": none
};

// A launcher sets this variable at the ranks that it starts and restarts, so no rank prints how to
// resume. The value is the launch's name, equal at every rank and in every restart, so a restarted
// rank continues the run that this launch has begun afresh. Any other value is ignored.
inline constexpr const char* kLaunchedVariable = "TACIT_LAUNCHED";
bool is_launch(const std::string& name);  // 16 hexadecimal digits

// The time that a service has after the first signal: all ranks end it together, and answer the requests that have
// arrived. A second signal ends it at once.
inline constexpr std::chrono::seconds kTimeToEndService{10};

// Throws ConfigError if this process is no rank of the job, and RunFailed for any later error.
Answer run_rank(const RankOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
