// launch_ranks — all ranks of a job, here or over ssh, from their keys to their ends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/launch/launched_job.h"
#include "launcher/launch/ranks.h"

namespace tacit::launcher {

struct LaunchOrder {
  std::filesystem::path output{};    // of the run: output/rank<r> is each rank's
  std::string program{};             // the command that every rank runs; "": this one, or "tacit" there
  std::vector<std::string> start{};  // flags of every rank, as --resume, which is said the first time alone
  std::string emulated{};            // a link between ranks that are all here, as parse_link takes it; "": none
  int segment = 0;                   // between ranks that are all here: bytes in a TCP packet at most; 0: as loopback
  int restarts = 0;
  Shown shown = Shown::kAll;
  std::string hosts{};      // a file: over ssh; "": here
  std::string ssh = "ssh";  // the client, and options of it
  int port = 0;             // where rank 0 listens on its host
};

// After a run over ssh that ended well all results are in `output`; after a failure, what can still be had.
RanksEnded launch_ranks(const LaunchedJob& launched, const LaunchOrder& order, Console& console);

}  // namespace tacit::launcher
