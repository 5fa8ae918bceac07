// Reads a graph from a folder: nodes.csv with a line for each node, edges.csv with a line for each
// edge (gnn/data/README.md). If nodes.csv has a column graph, graphs.csv may have the labels and masks, with a line for
// each graph. pairs.csv has the pairs of nodes to predict, of a job that learns links.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/byte_source.h"
#include "gnn/data/class_names.h"
#include "gnn/data/csv_rows.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// Throws ConfigError unless the files form a graph. edges.csv may be missing. The names of unknown
// columns are appended to `ignored`. `rows` describes the folder of an owner of rows; without it,
// nodes.csv has all nodes. `class_names`: the names of classes in the job; nodes.csv may have them in the column class.
GraphData read_graph_csv(const std::filesystem::path& folder, std::vector<std::string>* ignored = nullptr,
                         const CsvRows* rows = nullptr, std::span<const std::string> class_names = {});

// The same from open files; all but `nodes` may be nullptr.
GraphData read_graph_csv(const ByteSource& nodes, const ByteSource* edges, std::vector<std::string>* ignored = nullptr,
                         std::span<const std::string> class_names = {}, const ByteSource* graphs = nullptr,
                         const ByteSource* pairs = nullptr);

}  // namespace tacit::gnn
