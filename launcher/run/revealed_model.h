// A model that was revealed to a rank, found where its run left it.
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

// `from`: a rank's output folder, the folder of all ranks, or a job file, whose output it is then. Throws ConfigError:
// there is no run, or the model was not revealed to a rank whose folder is here.
RevealedModel find_revealed_model(const std::filesystem::path& from, const std::vector<std::string>& overrides);

// Three lines.
std::string python_that_loads(const RevealedModel& model, const std::string& file);

}  // namespace tacit::launcher
