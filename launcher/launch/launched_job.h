// LaunchedJob — the job of a launch with its file, its overrides and the launch's name.
#pragma once

#include <string>
#include <vector>

#include "launcher/job/load_job.h"

namespace tacit::launcher {

struct LaunchedJob {
  std::string file;
  std::vector<std::string> overrides;  // passed on to every rank
  ReadJob read;
  std::string id;  // the launch's name, given to every rank (kLaunchedVariable)
  // data.files, predict.files, privacy.ledger and the settings of [serve] before their paths became absolute.
  RankFiles files_as_written, predicted_as_written, ledger_as_written;
  JobService service_as_written;

  const Job& job() const { return read.job; }
  int ranks() const { return static_cast<int>(read.job.ranks()); }
};

// `parties` 0: the job's number. Throws ConfigError if the job states another number.
LaunchedJob load_launched(const std::string& file, std::vector<std::string> overrides, int parties);

}  // namespace tacit::launcher
