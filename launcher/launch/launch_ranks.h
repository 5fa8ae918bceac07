// launch_ranks — runs all ranks of a job, on this machine or over ssh, from key generation to exit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/launch/launched_job.h"
#include "launcher/launch/ranks.h"

namespace tacit::launcher {

struct LaunchOrder {
  std::filesystem::path output{};    // the run's folder: output/rank<r> is rank r's
  std::string program{};             // the command that every rank runs; "": this one, or "tacit" there
  std::string verb = "train";        // or "predict", "serve"
  std::string who{};                 // a file with the nodes to predict, which rank 0 names; "": all
  std::vector<std::string> start{};  // flags of every rank, as --resume, which is said the first time alone
  std::string emulated{};            // a link between ranks that are all here, as parse_link takes it; "": none
  int segment = 0;                   // between ranks that are all here: bytes in a TCP packet at most; 0: as loopback
  std::vector<int> cpus{};           // shared out to ranks that are all here; empty: every rank may use all CPUs
  int restarts = 0;
  Shown shown = Shown::kAll;
  std::string hosts{};      // the file of hosts for ssh; "": this machine
  std::string ssh = "ssh";  // the client and its options
  int port = 0;             // rank 0's port on its host
  std::string run_there{};  // the run's folder in the folder of each rank on its host; "": run
};

// Over ssh the results are copied to `output`: all results after a success, and the results of reachable
// hosts after a failure. A service that ended in order after a signal is a success.
RanksEnded launch_ranks(const LaunchedJob& launched, const LaunchOrder& order, Console& console);

}  // namespace tacit::launcher
