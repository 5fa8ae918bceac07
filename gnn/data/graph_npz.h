// A graph in an .npz file, under the names that PyTorch Geometric users know (gnn/data/README.md has the table).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/data/npz.h"

namespace tacit::gnn {

// Throws ConfigError unless the file's parts make a graph: see check(). Names of arrays that are no part of one, and
// not nearly the name of one, are appended to `ignored`.
GraphData read_graph_npz(const Npz& file, std::vector<std::string>* ignored = nullptr);

// What read_graph_npz() takes for the same graph, features and targets as float64.
std::vector<NamedArray> arrays_of(const GraphData& data);
// A file of these. Throws ConfigError.
void write_graph_npz(const std::filesystem::path& path, const GraphData& data,
                     Compression compression = Compression::kDeflated);

}  // namespace tacit::gnn
