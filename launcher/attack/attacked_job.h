// AttackedJob — a job whose model is attacked: its data in the clear, its model, and the bound that its privacy gives. For whoever
// has the data of all parties: a rehearsal on data that are like theirs, or an owner of whole rows with a job of its own.
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
  std::string file;                      // of the model
  std::optional<double> epsilon, delta;  // against all who see the model; none: the job has no [privacy]
};

// `data`: the whole graph's file; empty: the job's own files of all ranks. `from`: as find_revealed_model() takes it; empty: the
// job's output. Throws ConfigError if the model is not the job's, or the data do not fit.
AttackedJob attacked_job(const Job& job, const std::string& job_file, const std::vector<std::string>& overrides,
                         const std::string& data, const std::string& from);

}  // namespace tacit::launcher
