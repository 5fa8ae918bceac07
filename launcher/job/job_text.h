// A job written as TOML, every value with where it came from in a comment. read_job() takes it back.
#pragma once

#include <string>

#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

std::string to_toml(const Job& job, const JobSources& sources);

}  // namespace tacit::launcher
