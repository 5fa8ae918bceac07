// DescribedModel — a revealed model with everything that reproduces its predictions, and its file
// model.npz.
//
// The file has the arrays under the names of PyTorch Geometric (gnn/model/model_file.h), and an array
// `tacit` of bytes: the description as JSON (docs/model-file.md).
#pragma once

#include <filesystem>
#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/data/npz.h"
#include "launcher/job/job.h"
#include "launcher/model/model_description.h"

namespace tacit::launcher {

struct DescribedModel {
  ModelDescription description;
  std::vector<gnn::NamedArray> arrays;  // with the names from arrays_of(description)

  const gnn::NpyArray& array(std::string_view name) const;
};

// A model that a job revealed, with `parameters` as gnn::revealed_model() returns them. `part`
// is this rank's data, for the names of the columns if they are all here; null: the names are
// unknown.
DescribedModel described_model(const Job& job, const std::vector<gnn::NamedMatrix>& parameters,
                               const gnn::GraphData* part);

// Replaces `path` as a whole or not at all. Throws ConfigError.
void write_described_model(const std::filesystem::path& path, const DescribedModel& model);

// Reads any file. Throws ConfigError unless the description is whole, and the file has exactly its
// arrays, in their shapes and with finite numbers.
DescribedModel read_described_model(const std::filesystem::path& path);
DescribedModel read_described_model(const gnn::Npz& file);

}  // namespace tacit::launcher
