// NodeNames — the nodes of a party's part of the data, by number and by id; or its graphs or pairs of nodes, by number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gnn/data/graph_data.h"

namespace tacit::launcher {

class NodeNames {
 public:
  // `nodes`: the number of nodes in the data of all parties, of graphs, or (`pairs`) of pairs. A part may have the
  // ids of all nodes, of its own rows, or none.
  NodeNames(const gnn::GraphData& part, std::int64_t nodes, bool pairs = false);

  std::string_view what() const { return what_; }  // "node", "graph" or "pair"
  std::int64_t nodes() const { return nodes_; }
  bool has_ids() const { return !ids_.empty(); }
  bool has_all_ids() const { return has_ids() && std::ssize(ids_) == nodes_; }

  std::optional<std::int64_t> node_of(std::string_view id) const;
  std::string id_of(std::int64_t node) const;  // "": the node has no id here
  // The nodes of a pair.
  std::optional<std::pair<std::int64_t, std::int64_t>> ends_of(std::int64_t pair) const;

 private:
  std::string_view what_ = "node";
  std::int64_t nodes_, first_ = 0;
  std::vector<std::string> ids_;
  gnn::Edges pairs_;
  std::unordered_map<std::string, std::int64_t> node_of_id_;
};

}  // namespace tacit::launcher
