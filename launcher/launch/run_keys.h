// RunKeys — the keys and the roster of a run on one machine: from the job, or new ones in the run's folder. New keys
// serve for trials only: they lie in one place, and protect nobody.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/job/job.h"

namespace tacit::launcher {

struct RunKeys {
  std::string roster;             // a file
  std::vector<std::string> keys;  // files, by rank; empty if the job names the keys
};

// Makes the missing ones in `folder`: keys/rank<r>.key (0600), where an existing key is kept, and
// roster. Throws ConfigError, also if the job names a roster without the private keys.
RunKeys run_keys(const Job& job, const std::filesystem::path& folder);

}  // namespace tacit::launcher
