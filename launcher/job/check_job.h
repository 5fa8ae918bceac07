// Whether the settings of a job fit each other.
#pragma once

#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

// Throws ConfigError with the place of the setting that contradicts another, which of them, and what to do.
void check(const Job& job, const JobSources& sources);

// Where ranks run on different machines, nobody sees to the others' defaults: what decides who must be trusted, and
// what is done to the data before they are shared, is named in the job. Throws ConfigError that lists what is not.
void expect_named(const Job& job, const JobSources& sources);

}  // namespace tacit::launcher
