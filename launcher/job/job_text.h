// Writes a job as TOML, with the source of every value in a comment. read_job() reads the text
// back.
#pragma once

#include <string>

#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

std::string to_toml(const Job& job, const JobSources& sources);

// Writes the settings that all ranks share, without sources. The text holds no path, address or key
// of this machine.
std::string shared_toml(const Job& job);

}  // namespace tacit::launcher
