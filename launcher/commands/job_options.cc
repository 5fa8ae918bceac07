#include "launcher/commands/job_options.h"

#include "launcher/job/job_text.h"

namespace tacit::launcher {

void add_job_options(CLI::App& verb, JobOptions& options) {
  verb.add_option(kOverrideFlag, options.overrides, "KEY=VALUE: a setting of the job, instead of what its file says")
      ->allow_extra_args(false);
  verb.add_flag("--explain", options.explain, "print every setting of the job, and where it came from");
}

void explain(const JobOptions& options, const ReadJob& job, Answer& answer) {
  if (!options.explain) return;
  const std::string resolved = to_toml(job.job, job.sources);
  answer.text = resolved + "\n" + answer.text;
  answer.json["job"] = resolved;
}

}  // namespace tacit::launcher
