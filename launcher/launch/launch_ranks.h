// launch_ranks — runs all ranks of a job, on this machine or over ssh, from key generation to exit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/launch/launched_job.h"
#include "launcher/launch/ranks.h"

namespace tacit::launcher {

struct LaunchOrder {
  std::filesystem::path output{};    // the run's folder; output/rank<r> is the folder of rank r
  std::string program{};             // the command that every rank runs; "": this one, or "tacit" there
  std::string verb = "train";        // or "predict", "serve"
  std::string who{};                 // a file with the nodes to predict, for rank 0; "": all nodes
  std::vector<std::string> start{};  // flags of every rank at the first start only, for example --resume
  std::string emulated{};            // an emulated link in the form of parse_link, if all ranks are here; "": none
  int segment = 0;                   // most bytes in a TCP packet, if all ranks are here; 0: the loopback's size
  std::vector<int> cpus{};           // shared out to the ranks, if all are here; empty: every rank may use all CPUs
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
