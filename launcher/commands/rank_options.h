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
  double deadline = 600;  // seconds
  bool quiet = false;
};

void add_rank_options(CLI::App& verb, RankOptions& options);

// The job, with what the flags say of it: what is a rank's own is a setting like others, with its source.
ReadJob job_of(const RankOptions& options);

// Runs the rank that the options and the environment say this is. `verb`: as the user types it.
Answer run_rank(const RankOptions& options, const std::string& verb, Goal goal, Start start);

}  // namespace tacit::launcher
