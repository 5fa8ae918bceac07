// Reads and writes a graph in an .npz file, with the key names of PyTorch Geometric (table in
// gnn/data/README.md).
#pragma once

#include <filesystem>
#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/data/graph_reading.h"
#include "gnn/data/npz.h"

namespace tacit::gnn {

// Throws ConfigError unless the file's parts form a graph (check()). An unknown name that is similar to a known one is an
// error. y may be text that has the names of the job's classes.
GraphData read_graph_npz(const Npz& file, const GraphReading& reading = {});

// The arrays from which read_graph_npz() reads the same graph. Features and targets are float64.
std::vector<NamedArray> arrays_of(const GraphData& data);
// Writes these arrays. Throws ConfigError.
void write_graph_npz(const std::filesystem::path& path, const GraphData& data,
                     Compression compression = Compression::kDeflated);

}  // namespace tacit::gnn
