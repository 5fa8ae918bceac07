// read_job — makes a job from a document, with schema validation: every key is known, and every
// value has its type and lies within its limits. check_job.h checks combinations of settings.
#pragma once

#include "launcher/job/document.h"
#include "launcher/job/job.h"
#include "launcher/job/job_sources.h"

namespace tacit::launcher {

struct ReadJob {
  Job job;
  JobSources sources;
};

// Throws ConfigError with file, line and column. The message names the nearest known key, or the
// allowed values.
ReadJob read_job(const DocumentValue& document);

}  // namespace tacit::launcher
