#include "launcher/data/node_names.h"

#include "gnn/data/node_ids.h"

namespace tacit::launcher {

NodeNames::NodeNames(const gnn::GraphData& part, std::int64_t nodes, bool pairs) : nodes_(nodes) {
  if (!part.graphs.empty()) what_ = "graph";
  if (pairs) what_ = "pair";
  if (pairs && part.pairs) pairs_ = *part.pairs;
  if (!part.ids || what_ != "node") return;
  ids_ = *part.ids;
  if (std::ssize(ids_) != part.graph_nodes() && part.own_rows) first_ = part.own_rows->first / part.snapshots;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    node_of_id_.emplace(gnn::normalised_id(ids_[i]), first_ + static_cast<std::int64_t>(i));
  }
}

std::optional<std::int64_t> NodeNames::node_of(std::string_view id) const {
  if (!gnn::is_id(id)) return std::nullopt;
  const auto known = node_of_id_.find(gnn::normalised_id(id));
  return known == node_of_id_.end() ? std::nullopt : std::optional(known->second);
}

std::string NodeNames::id_of(std::int64_t node) const {
  const std::int64_t own = node - first_;
  return own >= 0 && own < std::ssize(ids_) ? ids_[static_cast<std::size_t>(own)] : "";
}

std::optional<std::pair<std::int64_t, std::int64_t>> NodeNames::ends_of(std::int64_t pair) const {
  const auto at = static_cast<std::size_t>(pair);
  return at < pairs_.from.size() ? std::optional(std::pair(pairs_.from[at], pairs_.to[at])) : std::nullopt;
}

}  // namespace tacit::launcher
