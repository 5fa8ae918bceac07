#include "launcher/commands/job_options.h"

#include <ostream>

#include "launcher/job/job_text.h"

namespace tacit::launcher {

void add_job_options(CLI::App& verb, JobOptions& options, CLI::Option* job) {
  CLI::Option* overrides =
      verb.add_option(kOverrideFlag, options.overrides,
                      "KEY=VALUE: a setting of the job, instead of the file's value; 'model.layers[0].outputs=32' "
                      "names the first entry of a list")
          ->allow_extra_args(false);
  CLI::Option* explain =
      verb.add_flag("--explain", options.explain, "first print every setting of the job, with its source");
  if (job == nullptr) return;
  overrides->needs(job);
  explain->needs(job);
}

void explain(const JobOptions& options, const ReadJob& job, Choice& choice, const std::string& seat) {
  if (!options.explain) return;
  const std::string resolved = seat + (seat.empty() ? "" : "\n") + to_toml(job.job, job.sources);
  if (choice.json) {
    choice.explained["job"] = resolved;
  } else {
    *choice.out << resolved << std::endl;  // with an empty line
  }
}

}  // namespace tacit::launcher
