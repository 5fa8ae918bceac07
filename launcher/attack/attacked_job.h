// AttackedJob — a job with a model to attack: the data in the clear, the model, and the bound that the job's privacy
// gives. Only somebody with the data of all parties can attack: in a rehearsal on similar data, or as the owner of
// whole rows with a job of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnn/attack/rehearsal.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

struct AttackedJob {
  gnn::Rehearsal rehearsal;
  std::vector<gnn::NamedMatrix> model;
  std::string file;                      // the model's file
  std::optional<double> epsilon, delta;  // against every observer of the model; nullopt: the job has no [privacy]
};

// `data`: the file of the whole graph; empty: the files of all ranks that the job names. `from`: as
// find_revealed_model() takes it; empty: the job's output. Throws ConfigError if the model is not the job's, or the
// data do not fit.
AttackedJob attacked_job(const Job& job, const std::string& job_file, const std::vector<std::string>& overrides,
                         const std::string& data, const std::string& from);

}  // namespace tacit::launcher
