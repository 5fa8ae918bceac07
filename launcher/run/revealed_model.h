// Finds a model that was revealed to a rank, in the output of its run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/npz.h"

namespace tacit::launcher {

struct RevealedModel {
  std::filesystem::path file;
  std::vector<gnn::NamedArray> arrays;
};

// `from`: a rank's output folder, the folder of all ranks, or a job file, for the job's output.
// Throws ConfigError if the output holds no run, or if no rank with a folder here got the model.
RevealedModel find_revealed_model(const std::filesystem::path& from, const std::vector<std::string>& overrides);

// Three lines of Python.
std::string python_that_loads(const RevealedModel& model, const std::string& file);

}  // namespace tacit::launcher
