#include "gnn/data/graph_csv.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gnn/data/csv.h"
#include "gnn/data/csv_values.h"
#include "gnn/data/nodes_csv.h"

namespace tacit::gnn {

namespace {

using Columns = std::pair<std::size_t, std::size_t>;

// The columns that say where edges begin and end, by the names that they go by.
Columns find_ends(const CsvReader& csv, const Place& place) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNames = {
      {{"from", "to"}, {"source", "target"}, {"src", "dst"}}};
  const std::vector<std::string>& columns = csv.columns();
  for (const auto& [from, to] : kNames) {
    const auto first = std::find(columns.begin(), columns.end(), from);
    const auto second = std::find(columns.begin(), columns.end(), to);
    if (first != columns.end() && second != columns.end()) {
      return {static_cast<std::size_t>(first - columns.begin()), static_cast<std::size_t>(second - columns.begin())};
    }
  }
  place.wrong("line 1: it does not say where edges begin and end; expected columns from and to, or source and target");
}

class EdgesReader {
 public:
  EdgesReader(const ByteSource& file, const NodesCsv& nodes)
      : csv_(file), nodes_(nodes), ends_(find_ends(csv_, file.place())) {}

  Edges read() {
    Edges edges;
    while (csv_.next()) {
      edges.from.push_back(node(ends_.first));
      edges.to.push_back(node(ends_.second));
    }
    return edges;
  }

  void list_others(std::vector<std::string>& ignored) const {
    for (std::size_t column = 0; column < csv_.columns().size(); ++column) {
      if (column != ends_.first && column != ends_.second) ignored.push_back(csv_.columns()[column]);
    }
  }

 private:
  std::int64_t node(std::size_t column) const {
    if (!nodes_.ids) return whole_in(csv_, column, nodes_.data.nodes);
    const auto found = nodes_.ids->find(text_in(csv_, column));
    if (found == nodes_.ids->end()) {
      wrong_field(csv_, column, "no node has this id; expected one from the column id of nodes.csv");
    }
    return found->second;
  }

  CsvReader csv_;
  const NodesCsv& nodes_;
  Columns ends_;
};

}  // namespace

GraphData read_graph_csv(const ByteSource& nodes, const ByteSource* edges, std::vector<std::string>* ignored) {
  NodesCsv read = read_nodes_csv(nodes);
  if (edges != nullptr) {
    EdgesReader reader(*edges, read);
    read.data.edges = reader.read();
    if (ignored != nullptr) reader.list_others(*ignored);
  }
  check(read.data, nodes.place().text());
  return std::move(read.data);
}

GraphData read_graph_csv(const std::filesystem::path& folder, std::vector<std::string>* ignored) {
  std::error_code unknown;  // then opening it will say what is wrong
  const std::filesystem::path edges_path = folder / "edges.csv";
  if (!std::filesystem::exists(folder / "nodes.csv", unknown) && !unknown) {
    Place(folder.string())
        .wrong(
            "it has no nodes.csv; expected one with a line for each node: with the column id alone where you hold "
            "edges only");
  }
  const FileSource nodes(folder / "nodes.csv");
  if (!std::filesystem::exists(edges_path, unknown) && !unknown) return read_graph_csv(nodes, nullptr, ignored);
  const FileSource edges(edges_path);
  return read_graph_csv(nodes, &edges, ignored);
}

}  // namespace tacit::gnn
