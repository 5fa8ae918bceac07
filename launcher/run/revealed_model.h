// Finds a model that was revealed to a rank, in the output of its run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/model/described_model.h"

namespace tacit::launcher {

struct RevealedModel {
  std::filesystem::path file;
  DescribedModel model;
};

// `from`: a rank's output folder, the folder of all ranks, a job file (for the job's output), or the
// file of a model (its name ends in .npz). Throws ConfigError if the output holds no run, if no rank
// with a folder here got the model, or if the model's file is damaged.
RevealedModel find_revealed_model(const std::filesystem::path& from, const std::vector<std::string>& overrides);

}  // namespace tacit::launcher
