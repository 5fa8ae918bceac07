// RunKeys — what the ranks of a run on this machine know each other by: what the job names, or keys and a roster that
// are made for the run and lie in its folder. Only for trying things: with all keys in one place nobody is protected.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/job/job.h"

namespace tacit::launcher {

struct RunKeys {
  std::string roster;             // a file
  std::vector<std::string> keys;  // files, by rank; none where the job names them
};

// Makes, in `folder`, what is not there yet: DIR/keys/rank<r>.key (0600) and DIR/roster. Throws ConfigError, also for
// a roster in the job whose private keys it does not name.
RunKeys run_keys(const Job& job, const std::filesystem::path& folder);

}  // namespace tacit::launcher
