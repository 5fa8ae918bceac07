// The options of the verbs that run one rank of a job.
#pragma once

#include "launcher/commands/job_options.h"
#include "launcher/run/rank_run.h"

namespace tacit::launcher {

struct RankOptions {
  JobOptions job;
  SeatFlags seat;
  std::string output, key, data;
  std::string metrics;    // HOST:PORT
  std::string emulated;   // a link, as parse_link takes it
  int segment = 0;        // for benchmarks: on loopback, packets as on Ethernet
  double deadline = 600;  // seconds
  int threads = 0;        // 0: the flag is not given
  bool quiet = false;
  bool memory_unchecked = false;
};

inline constexpr const char* kEmulateHelp =
    "a link to emulate between ranks on this machine, as 7.9ms,100Mbit: a round trip and what each rank sends a second";

inline constexpr const char* kThreadsHelp =
    "number of threads; otherwise TACIT_THREADS, or this process' cores divided by the ranks on this machine";
void add_threads_option(CLI::App& verb, int& threads, const char* help = kThreadsHelp);

void add_rank_options(CLI::App& verb, RankOptions& options);
// Of verbs that run the job, beside those.
void add_run_options(CLI::App& verb, RankOptions& options);

// The job, with what the flags say of it: what is a rank's own is a setting like others, with its source.
ReadJob job_of(const RankOptions& options);

// Says, if --explain wants it, where rank, size and address came from, as far as anybody says them; then the settings.
void explain_seat(const RankOptions& options, const ReadJob& job, Choice& choice);

// Runs the rank that the options and the environment say this is. `verb`: as the user types it.
Answer run_rank(const RankOptions& options, Choice& choice, const std::string& verb, Goal goal, Start start);

}  // namespace tacit::launcher
