#include "gnn/data/graph_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "gnn/data/csv.h"
#include "gnn/data/csv_rows.h"
#include "gnn/data/csv_values.h"
#include "gnn/data/nodes_csv.h"
#include "gnn/data/several_graphs.h"

namespace tacit::gnn {

namespace {

using Columns = std::pair<std::size_t, std::size_t>;

// The columns with the sources and the targets of edges, by their allowed names.
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
  // `others` is null unless the folder belongs to an owner of rows.
  EdgesReader(const ByteSource& file, const NodesCsv& nodes, OtherOwners* others)
      : csv_(file), nodes_(nodes), others_(others), ends_(find_ends(csv_, file.place())) {
    const auto weight = std::find(csv_.columns().begin(), csv_.columns().end(), "weight");
    if (weight != csv_.columns().end()) weight_ = static_cast<std::size_t>(weight - csv_.columns().begin());
    const auto part = std::find(csv_.columns().begin(), csv_.columns().end(), "part");
    if (part != csv_.columns().end()) part_ = static_cast<std::size_t>(part - csv_.columns().begin());
    const auto found = std::find(csv_.columns().begin(), csv_.columns().end(), "to_rank");
    if (found == csv_.columns().end()) return;
    to_rank_ = static_cast<std::size_t>(found - csv_.columns().begin());
    if (others_ != nullptr) return;
    file.place().wrong(
        "line 1, column \"to_rank\": it names owners of nodes, but the owners are unknown here; name the "
        "job and the rank, as `tacit data check JOB --rank R` does, and say in the job how many nodes each rank has");
  }

  Edges read() {
    Edges edges;
    while (csv_.next()) {
      edges.from.push_back(node(ends_.first));
      const std::int64_t elsewhere = to_rank_ ? others_->node(csv_, ends_.second, *to_rank_) : -1;
      edges.to.push_back(elsewhere >= 0 ? elsewhere : node(ends_.second));
      if (weight_) edges.weights.push_back(weight());
      if (part_) edges.parts.push_back(part());
    }
    return edges;
  }

  void list_others(std::vector<std::string>& ignored) const {
    for (std::size_t column = 0; column < csv_.columns().size(); ++column) {
      if (column != ends_.first && column != ends_.second && column != to_rank_ && column != weight_ && column != part_)
        ignored.push_back(csv_.columns()[column]);
    }
  }

 private:
  // NaN if the field is no number, which is an error in some jobs only (check_edge_weights()).
  double weight() const {
    try {
      return number_in(csv_, *weight_);
    } catch (const ConfigError&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  // -1 if the field names no part, which is an error in some jobs only (check_links()).
  std::int64_t part() const {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kParts = {
        {{"train", 0}, {"validation", 1}, {"val", 1}, {"test", 2}}};
    const std::string_view text = text_in(csv_, *part_);
    for (const auto& [name, number] : kParts) {
      if (text == name) return number;
    }
    return -1;
  }

  // A node of this folder's owner.
  std::int64_t node(std::size_t column) const {
    const NodeRange own = others_ != nullptr ? *nodes_.data.own_rows : NodeRange{0, nodes_.data.nodes};
    if (!nodes_.ids) return own.first + whole_in(csv_, column, own.count);
    const auto found = nodes_.ids->find(text_in(csv_, column));
    if (found == nodes_.ids->end()) {
      wrong_field(csv_, column,
                  others_ != nullptr && column == ends_.second
                      ? "no node of nodes.csv has this id; if another rank owns it, name this rank in a column to_rank"
                      : "no node has this id; expected one from the column id of nodes.csv");
    }
    return own.first / nodes_.data.snapshots + found->second;
  }

  CsvReader csv_;
  const NodesCsv& nodes_;
  OtherOwners* others_;
  Columns ends_;
  std::optional<std::size_t> to_rank_, weight_, part_;
};

}  // namespace

namespace {

// Numbers the rows of an owner of rows. The folder's nodes.csv has the owner's nodes alone.
void number_rows(const CsvRows& rows, const Place& place, GraphData& data) {
  const NodeRange own = rows.of(rows.rank);
  if (data.graph_nodes() != own.count) {
    place.wrong(fmt::format("it has {} nodes, but {} rank {} owns {}; mend the file, or {}", data.graph_nodes(),
                            rows.stated_in, rows.rank, own.count, rows.remedy));
  }
  data.own_rows = NodeRange{own.first * data.snapshots, own.count * data.snapshots};
  data.nodes = rows.nodes() * data.snapshots;
}

// The number of each graph, by its name, in the order of their nodes.
using GraphNumbers = std::unordered_map<std::string, std::int64_t>;

GraphNumbers number_graphs(NodesCsv& nodes, const Place& place) {
  GraphNumbers numbers;
  for (std::size_t node = 0; node < nodes.graphs.size(); ++node) {
    const std::string& name = nodes.graphs[node];
    const auto [known, is_new] = numbers.emplace(name, std::ssize(numbers));
    if (!is_new && nodes.graphs[node - 1] != name) {
      place.wrong(fmt::format("line {}, column \"graph\": other graphs lie between this node and the last one of its "
                              "graph; let the lines of a graph follow each other",
                              node + 2),
                  fmt::format("the graph is \"{}\"", name));
    }
    nodes.data.graphs.push_back(known->second);
  }
  return numbers;
}

// Takes the labels and masks of graphs.csv.
void add_graphs(const ByteSource& file, const GraphNumbers& numbers, std::span<const std::string> class_names,
                NodesCsv& nodes) {
  GraphData& data = nodes.data;
  const Place& place = file.place();
  if (numbers.empty()) place.wrong("nodes.csv has no column graph, which names the graph of each node; add it");
  if (data.classes || data.targets || data.train_mask || data.val_mask || data.test_mask) {
    place.wrong(
        "labels and masks are in nodes.csv, and labels and masks of graphs belong here; take them out of nodes.csv");
  }
  const NodesCsv graphs = read_nodes_csv(file, class_names);
  if (graphs.graphs.empty()) place.wrong("line 1: expected a column graph with the name of each graph");
  if (graphs.data.x) place.wrong("line 1: it has features, and features are of nodes; move them to nodes.csv");
  std::vector<std::int64_t> line(numbers.size(), -1);  // of each graph
  for (std::size_t i = 0; i < graphs.graphs.size(); ++i) {
    const auto known = numbers.find(graphs.graphs[i]);
    const auto wrong = [&](const char* what) {
      place.wrong(fmt::format("line {}, column \"graph\": {}", i + 2, what),
                  fmt::format("the graph is \"{}\"", graphs.graphs[i]));
    };
    if (known == numbers.end()) wrong("no node of nodes.csv is of this graph");
    std::int64_t& at = line[static_cast<std::size_t>(known->second)];
    if (at >= 0) wrong("an earlier line has the same graph; expected one line for each graph");
    at = static_cast<std::int64_t>(i);
  }
  const auto missing = std::find(line.begin(), line.end(), -1);
  if (missing != line.end()) {
    place.wrong(
        fmt::format("graph {} of nodes.csv has no line here; expected one for each graph", missing - line.begin()));
  }
  const auto in_order = [&](const auto& values) {
    auto taken = values;
    for (std::size_t i = 0; taken && i < line.size(); ++i) (*taken)[i] = (*values)[static_cast<std::size_t>(line[i])];
    return taken;
  };
  data.classes = in_order(graphs.data.classes);
  data.train_mask = in_order(graphs.data.train_mask);
  data.val_mask = in_order(graphs.data.val_mask);
  data.test_mask = in_order(graphs.data.test_mask);
  if (graphs.data.targets) data.targets = Matrix((*graphs.data.targets)(line, Eigen::all));
  move_to_first_nodes(data);
}

GraphData read(const ByteSource& nodes, const ByteSource* edges, const GraphReading& reading, OtherOwners* others,
               const ByteSource* graphs, const ByteSource* pairs) {
  const bool may_be_empty = others != nullptr && others->rows().of(others->rows().rank).count == 0;
  NodesCsv read = read_nodes_csv(nodes, reading.class_names, may_be_empty, reading.missing_features);
  if (may_be_empty && read.data.nodes == 0) read.data = {};  // a part without rows has no matrices
  if (others != nullptr && !read.graphs.empty()) {
    nodes.place().wrong(
        "it has a column graph, and the nodes of other owners, whose graphs all parties know, are not in this folder; "
        "store the part as .npz with graph for all nodes, as `tacit data split` does");
  }
  if (others != nullptr) {
    number_rows(others->rows(), nodes.place(), read.data);
    read.data.id_lists = others->digests();
  }
  const GraphNumbers numbers = number_graphs(read, nodes.place());
  if (graphs != nullptr) add_graphs(*graphs, numbers, reading.class_names, read);
  if (edges != nullptr) {
    EdgesReader reader(*edges, read, others);
    read.data.edges = reader.read();
    if (reading.ignored != nullptr) reader.list_others(*reading.ignored);
  }
  if (pairs != nullptr) {
    if (others != nullptr) {
      pairs->place().wrong(
          "it has pairs of nodes, and the nodes of other owners, which all parties number alike, are not in this "
          "folder; store the part as .npz with pairs");
    }
    EdgesReader reader(*pairs, read, nullptr);
    read.data.pairs = reader.read();
    read.data.pairs->weights.clear();
    if (reading.ignored != nullptr) reader.list_others(*reading.ignored);
  }
  check(read.data, nodes.place().text());
  return std::move(read.data);
}

}  // namespace

GraphData read_graph_csv(const ByteSource& nodes, const ByteSource* edges, const GraphReading& reading,
                         const ByteSource* graphs, const ByteSource* pairs) {
  return read(nodes, edges, reading, nullptr, graphs, pairs);
}

GraphData read_graph_csv(const std::filesystem::path& folder, const GraphReading& reading) {
  std::error_code unknown;  // after an error, opening the file reports the reason
  const auto is_there = [&](const std::filesystem::path& path) {
    return std::filesystem::exists(path, unknown) || unknown;
  };
  if (!is_there(folder / "nodes.csv")) {
    Place(folder.string())
        .wrong(
            "it has no nodes.csv; expected one with a line for each node: with the column id alone where you hold "
            "edges only");
  }
  std::optional<OtherOwners> others;
  if (reading.rows != nullptr) {
    others.emplace(*reading.rows, [&](int rank) -> std::unique_ptr<const ByteSource> {
      const std::filesystem::path path = folder / fmt::format("nodes_of_{}.csv", rank);
      return is_there(path) ? std::make_unique<FileSource>(path) : nullptr;
    });
  }
  const FileSource nodes(folder / "nodes.csv");
  const auto file = [&](const char* name) {
    return is_there(folder / name) ? std::make_unique<FileSource>(folder / name) : nullptr;
  };
  const std::unique_ptr<FileSource> edges = file("edges.csv"), graphs = file("graphs.csv"), pairs = file("pairs.csv");
  return read(nodes, edges.get(), reading, others ? &*others : nullptr, graphs.get(), pairs.get());
}

}  // namespace tacit::gnn
