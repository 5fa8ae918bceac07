// The job of a launch: the file and the settings over it, how many parties it has, and what ranks know the launch by.
#pragma once

#include <string>
#include <vector>

#include "launcher/job/load_job.h"

namespace tacit::launcher {

struct LaunchedJob {
  std::string file;
  std::vector<std::string> overrides;  // as every rank is to be told
  ReadJob read;
  std::string id;              // of this launch, as all its ranks are told (kLaunchedVariable)
  RankFiles files_as_written;  // data.files before its paths were made absolute here

  const Job& job() const { return read.job; }
  int ranks() const { return static_cast<int>(read.job.processes()); }
};

// `parties` 0: as the job says. Throws ConfigError where the job says another number.
LaunchedJob load_launched(const std::string& file, std::vector<std::string> overrides, int parties);

}  // namespace tacit::launcher
