#include "gnn/data/several_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "gnn/data/labels.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Numbers = std::vector<std::int64_t>;

// The nodes of a list with `rows` rows: all nodes, or the nodes of own_rows.
NodeRange nodes_of(const GraphData& data, std::int64_t rows) {
  const NodeRange all{0, data.nodes};
  return data.own_rows && rows == data.own_rows->count ? *data.own_rows : all;
}

// Of a list with a row for each graph: the place of each in a list of nodes, and the length of that list. Empty if the
// list has a row for each node.
struct Spread {
  Numbers places;
  std::int64_t rows = 0;
};

std::optional<Spread> spread_of(const GraphData& data, std::int64_t rows) {
  if (rows == data.nodes || (data.own_rows && rows == data.own_rows->count)) return std::nullopt;
  for (const NodeRange& nodes : {data.own_rows.value_or(NodeRange{0, data.nodes}), NodeRange{0, data.nodes}}) {
    Numbers places = subjects_among(data, nodes);
    if (std::ssize(places) != rows) continue;
    for (std::int64_t& place : places) place -= nodes.first;
    return Spread{std::move(places), nodes.count};
  }
  return std::nullopt;  // check() throws the error
}

template <typename Values, typename Value>
void spread(const GraphData& data, std::optional<Values>& values, const Value& elsewhere) {
  if (!values) return;
  const std::optional<Spread> to = spread_of(data, std::ssize(*values));
  if (!to) return;
  Values all(static_cast<std::size_t>(to->rows), elsewhere);
  for (std::size_t i = 0; i < to->places.size(); ++i) all[static_cast<std::size_t>(to->places[i])] = (*values)[i];
  values = std::move(all);
}

template <typename Values>
void gather(std::optional<Values>& values, const Numbers& places) {
  if (!values) return;
  Values some;
  for (const std::int64_t place : places) some.push_back((*values)[static_cast<std::size_t>(place)]);
  values = std::move(some);
}

}  // namespace

std::int64_t number_of_graphs(const GraphData& data) { return data.graphs.empty() ? 0 : data.graphs.back() + 1; }

Numbers subjects_of(std::int64_t nodes, std::span<const std::int64_t> graphs) {
  Numbers rows;
  for (std::int64_t node = 0; node < nodes; ++node) {
    const auto i = static_cast<std::size_t>(node);
    if (graphs.empty() || node == 0 || graphs[i] != graphs[i - 1]) rows.push_back(node);
  }
  return rows;
}

Numbers subjects_among(const GraphData& data, const NodeRange& nodes) {
  Numbers rows = subjects_of(data.nodes, data.graphs);
  std::erase_if(rows, [&](std::int64_t node) { return !nodes.contains(node); });
  return rows;
}

std::int64_t subjects_in(const GraphData& data, std::int64_t rows) {
  if (data.graphs.empty() || rows == 0) return rows;
  return std::ssize(subjects_among(data, nodes_of(data, rows)));
}

void move_to_first_nodes(GraphData& data) {
  if (data.graphs.empty()) return;
  spread(data, data.classes, kUnknownClass);
  for (std::optional<NodeMask>* mask : {&data.train_mask, &data.val_mask, &data.test_mask}) spread(data, *mask, false);
  const std::optional<Spread> to = data.targets ? spread_of(data, data.targets->rows()) : std::nullopt;
  if (!to) return;
  Matrix all = Matrix::Constant(to->rows, data.targets->cols(), std::numeric_limits<double>::quiet_NaN());
  all(to->places, Eigen::all) = *data.targets;
  data.targets = std::move(all);
}

GraphData with_a_row_for_each_graph(const GraphData& data) {
  GraphData made = data;
  if (data.graphs.empty() || data.own_rows) return made;
  const Numbers at = subjects_of(data.nodes, data.graphs);
  gather(made.classes, at);
  for (std::optional<NodeMask>* mask : {&made.train_mask, &made.val_mask, &made.test_mask}) gather(*mask, at);
  if (data.targets) made.targets = Matrix((*data.targets)(at, Eigen::all));
  return made;
}

std::string_view graphs_and_pool(bool several) {
  return several
             ? "graph: the data have several graphs, and the model has no layer of kind \"pool\", after which there "
               "is a row for each graph; add one, or take graph out of the files"
             : "graph: it is missing, and the model pools: give the number of each node's graph, as graph in an .npz "
               "file or as a column graph of nodes.csv";
}

void check_numbering(std::span<const std::int64_t> graphs, std::int64_t nodes, std::string_view where) {
  const auto wrong = [&](const std::string& what) { throw ConfigError(fmt::format("{}: graph: {}", where, what)); };
  if (std::ssize(graphs) != nodes) {
    wrong(fmt::format("{} numbers for {} nodes; every node of all ranks has the number of its graph", graphs.size(),
                      nodes));
  }
  std::int64_t before = -1;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    if (i == 0 && graphs[0] != 0) wrong("the first graph must have number 0");
    if (graphs[i] != before && graphs[i] != before + 1) {
      wrong(
          fmt::format("node {} is of graph {} and the node before it of graph {}; number graphs from 0 in the order of "
                      "their nodes, and let the nodes of a graph follow each other",
                      i, graphs[i], before));
    }
    before = graphs[i];
  }
}

void check_graphs(const GraphData& data, std::string_view where) {
  if (data.graphs.empty()) return;
  check_numbering(data.graphs, data.nodes, where);
  const auto wrong = [&](std::string_view key, const std::string& what, std::string detail = "") {
    throw ConfigError(fmt::format("{}: {}: {}", where, key, what), std::move(detail));
  };
  const auto graph_of = [&](std::int64_t node) { return data.graphs[static_cast<std::size_t>(node)]; };
  for (std::size_t e = 0; data.edges && e < data.edges->from.size(); ++e) {
    if (graph_of(data.edges->from[e]) == graph_of(data.edges->to[e])) continue;
    wrong(
        "edge_index",
        fmt::format("edge {} leads from one graph to another; nodes have numbers of their own in each graph's turn, as "
                    "in a batch of PyTorch Geometric",
                    e),
        fmt::format("it leads from node {} to node {}", data.edges->from[e], data.edges->to[e]));
  }
  const auto check_row = [&](std::string_view key, std::int64_t row, std::int64_t rows) {
    const std::int64_t node = row + nodes_of(data, rows).first;
    if (node == 0 || graph_of(node) != graph_of(node - 1)) return;
    wrong(key, fmt::format("node {} has one, and is not the first node of its graph; give a row for each graph, or "
                           "leave all nodes of a graph but the first without",
                           node));
  };
  for (const std::int64_t row : labelled_rows(data)) {
    check_row("y", row, data.classes ? std::ssize(*data.classes) : std::int64_t{data.targets->rows()});
  }
  const auto check_mask = [&](const std::optional<NodeMask>& mask, std::string_view key) {
    for (std::size_t i = 0; mask && i < mask->size(); ++i) {
      if ((*mask)[i]) check_row(key, static_cast<std::int64_t>(i), std::ssize(*mask));
    }
  };
  check_mask(data.train_mask, "train_mask");
  check_mask(data.val_mask, "val_mask");
  check_mask(data.test_mask, "test_mask");
}

}  // namespace tacit::gnn
