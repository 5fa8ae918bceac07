// Cross-checks (validation) of a job's settings: do they fit each other?
#pragma once

#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

// Throws ConfigError with the setting's place, the setting that it contradicts, and the remedy.
void check(const Job& job, const JobSources& sources);

// For ranks on different machines. The job must then name, rather than leave to a default, each
// setting that decides who has to be trusted or how the data are changed before sharing. Throws
// ConfigError with the list of missing settings.
void expect_named(const Job& job, const JobSources& sources);

}  // namespace tacit::launcher
