#include "gnn/data/graph_file.h"

#include "gnn/data/graph_csv.h"
#include "gnn/data/graph_npz.h"

namespace tacit::gnn {

GraphData read_graph(const std::filesystem::path& path, const GraphReading& reading) {
  std::error_code unknown;  // after an error, opening the file reports the reason
  if (std::filesystem::is_directory(path, unknown)) return read_graph_csv(path, reading);
  if (path.extension() == ".csv") {
    Place(path.string()).wrong("expected the folder that holds nodes.csv and edges.csv, or an .npz file");
  }
  return read_graph_npz(Npz(path), reading);
}

}  // namespace tacit::gnn
