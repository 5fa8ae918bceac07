// From a document to a job: every key known, every value of its type and within its limits. Whether they fit each other
// is for check_job.h to say.
#pragma once

#include "launcher/job/document.h"
#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

struct ReadJob {
  Job job;
  JobSources sources;
};

// Throws ConfigError with file, line and column: the key and the nearest that is known, or what is allowed.
ReadJob read_job(const DocumentValue& document);

}  // namespace tacit::launcher
