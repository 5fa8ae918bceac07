#include "launcher/data/contents.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/holding.h"
#include "gnn/data/several_graphs.h"

namespace tacit::launcher {

std::string several(std::int64_t number, std::string_view one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

std::string nodes_in_snapshots(std::int64_t rows, std::int64_t snapshots) {
  const std::string nodes = several(rows / snapshots, "node");
  return snapshots == 1 ? nodes : fmt::format("{} in {}", nodes, several(snapshots, "snapshot"));
}

std::string subjects_text(const gnn::Holding& holding) {
  if (holding.snapshots > 1) return nodes_in_snapshots(holding.nodes, holding.snapshots);
  return several(holding.subjects(), holding.subject());
}

std::int64_t count(const std::optional<gnn::NodeMask>& mask) {
  return mask ? std::count(mask->begin(), mask->end(), true) : 0;
}

std::string contents(const gnn::GraphData& data) {
  const gnn::Announcement held = gnn::announcement_of(data);
  std::string all = nodes_in_snapshots(data.nodes, data.snapshots);
  const bool rows = data.snapshots > 1;  // labels and masks count nodes in snapshots
  if (held.graphs > 0) all += " in " + several(held.graphs, "graph");
  if (data.own_rows) {
    all += fmt::format(", and owns {} from {} on", data.own_rows->count / data.snapshots,
                       data.own_rows->first / data.snapshots);
  }
  if (data.ids) all += " with ids";
  if (held.x.cols > 0) {
    all += fmt::format(", {}{}", several(held.x.cols, "feature"), data.sparse_x ? " (sparse)" : "");
  }
  if (data.targets) all += ", " + several(data.targets->cols(), "target");
  if (data.classes) all += ", classes";
  const bool graphs = held.graphs > 0;
  const std::int64_t unknown = gnn::subjects_in(data, held.y.rows) - held.labelled;
  if (unknown > 0)
    all += fmt::format(" (none known for {})", several(unknown, graphs ? "graph" : rows ? "row" : "node"));
  if (data.edges) all += ", " + several(data.edges->size(), "edge");
  if (data.pairs) all += ", " + several(data.pairs->size(), "pair") + " to predict";
  if (data.train_mask || data.val_mask || data.test_mask) {
    all += fmt::format(", {} to train on, {} to validate, {} to test",
                       rows ? several(count(data.train_mask), "row") : std::to_string(count(data.train_mask)),
                       count(data.val_mask), count(data.test_mask));
  }
  return all;
}

Json contents_json(const gnn::GraphData& data) {
  const gnn::Announcement held = gnn::announcement_of(data);
  Json json = {{"nodes", data.graph_nodes()}, {"features", held.x.cols}};
  if (data.snapshots > 1) json["snapshots"] = data.snapshots;
  if (held.graphs > 0) json["graphs"] = held.graphs;
  if (data.own_rows) json["own_rows"] = {data.own_rows->first / data.snapshots, data.own_rows->count / data.snapshots};
  json["has_ids"] = data.ids.has_value();
  json["targets"] = data.targets ? data.targets->cols() : 0;
  json["has_classes"] = data.classes.has_value();
  json["labelled"] = held.labelled;
  json["edges"] = data.edges ? Json(data.edges->size()) : Json(nullptr);
  if (data.pairs) json["pairs"] = data.pairs->size();
  const auto nodes_in = [](const std::optional<gnn::NodeMask>& mask) {
    return mask ? Json(count(mask)) : Json(nullptr);
  };
  json["train"] = nodes_in(data.train_mask);
  json["validation"] = nodes_in(data.val_mask);
  json["test"] = nodes_in(data.test_mask);
  return json;
}

}  // namespace tacit::launcher
