// A job written as TOML, every value with where it came from in a comment. read_job() takes it back.
#pragma once

#include <string>

#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

std::string to_toml(const Job& job, const JobSources& sources);

// The settings that all ranks share, without sources: nothing in it is a path, an address or a key of this machine.
std::string shared_toml(const Job& job);

}  // namespace tacit::launcher
