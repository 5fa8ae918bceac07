// The options of every verb with a job: the job's file, settings to override, and --explain.
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

// Adds --set and --explain. The verb adds the file itself: as an argument, or as the option `job`, which --set and
// --explain then need.
void add_job_options(CLI::App& verb, JobOptions& options, CLI::Option* job = nullptr);

// With --explain, prints every setting with its source, after `seat`. Runs before the verb does
// anything, so it also explains a later failure.
void explain(const JobOptions& options, const ReadJob& job, Choice& choice, const std::string& seat = "");

}  // namespace tacit::launcher
