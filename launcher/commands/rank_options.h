// The options of the verbs that run one rank of a job.
#pragma once

#include "launcher/commands/job_options.h"
#include "launcher/run/errand.h"
#include "launcher/run/rank_run.h"

namespace tacit::launcher {

struct RankOptions {
  JobOptions job;
  SeatFlags seat;
  std::string output, key, data;
  std::string who;        // predictions: a file that lists nodes
  bool predicts = false;  // --data names the data to predict, not the training's
  std::string metrics;    // HOST:PORT
  std::string emulated;   // a link in the form of parse_link
  int segment = 0;        // for benchmarks: packets of this size on loopback, as on Ethernet
  double deadline = 600;  // seconds
  int threads = 0;        // 0: the flag is not given
  std::string device;     // in the form of find_device_choice; "": the flag is not given
  std::string cpus;       // in the form of parse_cpus; "": all
  bool quiet = false;
  bool memory_unchecked = false;
};

inline constexpr const char* kEmulateHelp =
    "a link to emulate between ranks on this machine, as 7.9ms,100Mbit: round trip, and bandwidth of each rank";

inline constexpr const char* kThreadsHelp =
    "number of threads; otherwise TACIT_THREADS, or this process' cores divided by the ranks on this machine";
void add_threads_option(CLI::App& verb, int& threads, const char* help = kThreadsHelp);

inline constexpr const char* kDeviceHelp =
    "the device for products of large matrices: none, auto, cuda, or cuda:N for card N of this machine; otherwise "
    "TACIT_DEVICE, or none";
void add_device_option(CLI::App& verb, std::string& device, const char* help = kDeviceHelp);

void add_rank_options(CLI::App& verb, RankOptions& options);
// Options of the verbs that run a job, in addition to the former.
void add_run_options(CLI::App& verb, RankOptions& options);

// The job with the values of the flags. A rank's own settings get their source like all others.
ReadJob job_of(const RankOptions& options);

// The same for work besides training.
ErrandOrder errand_of(const RankOptions& options);

// With --explain, prints the sources of rank, size and address if they are set, then the
// settings.
void explain_seat(const RankOptions& options, const ReadJob& job, Choice& choice);

// Runs the rank given by the options and the environment. `verb`: the word that the user typed.
Answer run_rank(const RankOptions& options, Choice& choice, const std::string& verb, Goal goal, Start start);

}  // namespace tacit::launcher
