// local_ranks — the commands for all ranks of a job on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/launch/launched_job.h"
#include "launcher/launch/ranks.h"
#include "net/rendezvous/reserved_port.h"

namespace tacit::launcher {

struct LocalOptions {
  std::filesystem::path output;      // the run's folder; output/rank<r> is the folder of rank r
  std::string program;               // the command that every rank runs
  std::string verb = "train";        // or "predict", "serve"
  std::string who{};                 // a file with the nodes to predict, for rank 0; "": all nodes
  std::vector<std::string> start{};  // flags of every rank at the first start only, for example --resume
  std::string emulated{};            // an emulated link in the form of parse_link; "": none
  int segment = 0;                   // most bytes in a TCP packet; 0: the loopback's size
  std::vector<int> cpus{};           // shared out to the ranks; empty: every rank may use all CPUs
  int restarts = 0;
};

// Makes the run's keys. The caller keeps the port reserved while the ranks run.
Ranks local_ranks(const LaunchedJob& launched, const LocalOptions& options, const net::ReservedPort& port);

std::string own_program();  // the path of this executable

}  // namespace tacit::launcher
