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
  std::filesystem::path output;      // the run's folder: output/rank<r> is rank r's
  std::string program;               // the command that every rank runs
  std::string verb = "train";        // or "predict", "serve"
  std::string who{};                 // a file with the nodes to predict, which rank 0 names; "": all
  std::vector<std::string> start{};  // flags of every rank, as --resume, which is said the first time alone
  std::string emulated{};            // a link between them, as parse_link takes it; "": none
  int segment = 0;                   // bytes in a TCP packet at most; 0: loopback's size
  std::vector<int> cpus{};           // shared out to the ranks; empty: every rank may use all CPUs
  int restarts = 0;
};

// Makes the run's keys. The caller keeps the port reserved while the ranks run.
Ranks local_ranks(const LaunchedJob& launched, const LocalOptions& options, const net::ReservedPort& port);

std::string own_program();  // the path of this executable

}  // namespace tacit::launcher
