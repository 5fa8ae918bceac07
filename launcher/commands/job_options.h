// The options of every verb that takes a job: its file, settings to override, and --explain.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "launcher/commands/verb.h"
#include "launcher/job/load_job.h"

namespace tacit::launcher {

struct JobOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool explain = false;

  ReadJob load() const { return load_job(file, overrides); }
  bool given() const { return !file.empty(); }
};

// --set and --explain; the file is an argument or an option of the verb's own.
void add_job_options(CLI::App& verb, JobOptions& options);

// Says, if --explain wants it, every setting and where it came from: before anything is done, so that what then fails
// is explained, too. `seat` comes first.
void explain(const JobOptions& options, const ReadJob& job, Choice& choice, const std::string& seat = "");

}  // namespace tacit::launcher
