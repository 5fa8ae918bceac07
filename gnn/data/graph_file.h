// read_graph — reads a graph from a file or folder of any supported format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/class_names.h"
#include "gnn/data/csv_rows.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// Reads an .npz file, or a folder with nodes.csv and edges.csv (gnn/data/README.md). Throws
// ConfigError unless the files form a graph. The names of unknown arrays or columns are appended to
// `ignored`, to be shown to the user. `rows` describes the folder of an owner of rows; an .npz file
// has this information itself. `class_names`: the names of classes in the job; a file may have classes by name.
GraphData read_graph(const std::filesystem::path& path, std::vector<std::string>* ignored = nullptr,
                     const CsvRows* rows = nullptr, std::span<const std::string> class_names = {});

}  // namespace tacit::gnn
