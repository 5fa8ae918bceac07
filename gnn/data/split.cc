#include "gnn/data/split.h"

#include <algorithm>
#include <map>

#include "gnn/data/holding.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

std::size_t position(std::int64_t i) { return static_cast<std::size_t>(i); }

Matrix taken(const Matrix& all, const Block& block) {
  return all.block(block.first_row, block.first_col, block.rows, block.cols);
}

SparseFeatures taken(const SparseFeatures& all, const Block& block) {
  SparseFeatures part;
  part.shape = block.shape();
  part.row_begin.push_back(0);
  for (std::int64_t row = block.first_row; row < block.first_row + block.rows; ++row) {
    for (std::int64_t i = all.row_begin[position(row)]; i < all.row_begin[position(row) + 1]; ++i) {
      const std::int64_t col = all.cols[position(i)] - block.first_col;
      if (col < 0 || col >= block.cols) continue;
      part.cols.push_back(col);
      part.values.push_back(all.values[position(i)]);
    }
    part.row_begin.push_back(std::ssize(part.cols));
  }
  return part;
}

// Selects a block's rows from a part with one entry for each node.
template <typename Values>
Values taken(const Values& all, const Block& block) {
  return Values(all.begin() + block.first_row, all.begin() + block.first_row + block.rows);
}

template <typename Part>
std::optional<Part> taken_if_any(const std::optional<Part>& all, const Block& block) {
  if (!all || block.empty()) return std::nullopt;
  return taken(*all, block);
}

// The edges that leave the nodes of these rows.
Edges leaving(const Edges& edges, const NodeRange& rows, std::int64_t snapshots) {
  Edges some;
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (rows.contains(edges.from[e] * snapshots)) some.add(edges, e);
  }
  return some;
}

// The edges of a rank in a split of edges that any rank may hold (sees_edge()).
Edges seen_by(const Edges& edges, const Holding& holding, std::size_t rank) {
  Edges some;
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (sees_edge(edges, e, holding.own_rows, holding.snapshots, rank, holding.edges.size())) some.add(edges, e);
  }
  return some;
}

// Appends a row of x from one part. Calls go in rank order, which is the order of the columns.
void append_row(const SparseFeatures& part, const Block& block, std::int64_t row, SparseFeatures& whole) {
  for (std::int64_t i = part.row_begin[position(row)]; i < part.row_begin[position(row) + 1]; ++i) {
    whole.cols.push_back(part.cols[position(i)] + block.first_col);
    whole.values.push_back(part.values[position(i)]);
  }
}

// Merges parts from the blocks that count. For a public part, rank 0's block counts alone.
class Merge {
 public:
  Merge(std::span<const GraphData> parts, const Holding& holding) : parts_(parts), holding_(holding) {}

  void x(const PartOwnership& owned, GraphData& whole) const {
    if (owned.kind == Kind::kNone) return;
    bool sparse = true;
    for_each(owned, holding_.x, [&](const GraphData& part, const Block&) { sparse = sparse && part.sparse_x; });
    if (!sparse) {
      Matrix x(holding_.nodes, holding_.features);
      for_each(owned, holding_.x, [&](const GraphData& part, const Block& block) {
        x.block(block.first_row, block.first_col, block.rows, block.cols) = part.x ? *part.x : part.sparse_x->dense();
      });
      whole.x = std::move(x);
      return;
    }
    SparseFeatures x = {{holding_.nodes, holding_.features}, {0}, {}, {}};
    for (std::int64_t row = 0; row < holding_.nodes; ++row) {
      for_each(owned, holding_.x, [&](const GraphData& part, const Block& block) {
        const std::int64_t in_part = row - block.first_row;
        if (in_part >= 0 && in_part < block.rows) append_row(*part.sparse_x, block, in_part, x);
      });
      x.row_begin.push_back(std::ssize(x.cols));
    }
    whole.sparse_x = std::move(x);
  }

  // The names of all columns; empty if a part does not name its own.
  std::vector<std::string> names(const PartOwnership& owned) const {
    std::vector<std::string> names(static_cast<std::size_t>(holding_.features));
    bool known = owned.kind != Kind::kNone;
    for_each(owned, holding_.x, [&](const GraphData& part, const Block& block) {
      known = known && std::ssize(part.feature_names) == block.cols;
      if (known) std::copy(part.feature_names.begin(), part.feature_names.end(), names.begin() + block.first_col);
    });
    return known ? names : std::vector<std::string>();
  }

  void y(const PartOwnership& owned, GraphData& whole) const {
    if (owned.kind == Kind::kNone) return;
    if (holding_.classes) {
      whole.classes = per_node(owned, holding_.y, &GraphData::classes);
      return;
    }
    Matrix y(holding_.nodes, holding_.targets);
    for_each(owned, holding_.y, [&](const GraphData& part, const Block& block) {
      y.block(block.first_row, block.first_col, block.rows, block.cols) = *part.targets;
    });
    whole.targets = std::move(y);
  }

  void masks(const PartOwnership& owned, GraphData& whole) const {
    if (owned.kind == Kind::kNone) return;
    whole.train_mask = per_node(owned, holding_.masks, &GraphData::train_mask);
    if (holding_.val_mask) whole.val_mask = per_node(owned, holding_.masks, &GraphData::val_mask);
    if (holding_.test_mask) whole.test_mask = per_node(owned, holding_.masks, &GraphData::test_mask);
  }

  void edges(const PartOwnership& owned, GraphData& whole) const {
    if (owned.kind == Kind::kNone) return;
    whole.edges.emplace();
    if (owned.kind == Kind::kAnywhere) return edges_of_anybody(*whole.edges);
    for (const GraphData& part : parts_) {
      if (!part.edges) continue;
      whole.edges->from.insert(whole.edges->from.end(), part.edges->from.begin(), part.edges->from.end());
      whole.edges->to.insert(whole.edges->to.end(), part.edges->to.begin(), part.edges->to.end());
      whole.edges->weights.insert(whole.edges->weights.end(), part.edges->weights.begin(), part.edges->weights.end());
      whole.edges->parts.insert(whole.edges->parts.end(), part.edges->parts.begin(), part.edges->parts.end());
      if (owned.kind == Kind::kPublic) return;
    }
  }

 private:
  // An edge that the part of an earlier rank has counts once, and weights add up.
  void edges_of_anybody(Edges& whole) const {
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> known;
    for (const GraphData& part : parts_) {
      if (!part.edges) continue;
      const std::size_t before = whole.from.size();
      for (std::size_t e = 0; e < part.edges->from.size(); ++e) {
        const auto found = known.find({part.edges->from[e], part.edges->to[e]});
        if (found == known.end()) {
          whole.add(*part.edges, e);
        } else if (part.edges->weighted()) {
          whole.weights[found->second] += part.edges->weights[e];
        }
      }
      for (std::size_t e = before; e < whole.from.size(); ++e) known.try_emplace({whole.from[e], whole.to[e]}, e);
    }
  }

  template <typename Visit>
  void for_each(const PartOwnership& owned, const std::vector<Block>& blocks, Visit visit) const {
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      if (!blocks[rank].empty()) visit(parts_[rank], blocks[rank]);
      if (owned.kind == Kind::kPublic) return;
    }
  }

  template <typename Values>
  Values per_node(const PartOwnership& owned, const std::vector<Block>& blocks,
                  std::optional<Values> GraphData::*of_part) const {
    Values all;
    for_each(owned, blocks, [&](const GraphData& part, const Block&) {
      all.insert(all.end(), (part.*of_part)->begin(), (part.*of_part)->end());
    });
    return all;
  }

  std::span<const GraphData> parts_;
  const Holding& holding_;
};

// The ids of the first part that names all nodes, or the ids of all parts concatenated.
std::optional<std::vector<std::string>> merged_ids(std::span<const GraphData> parts, std::int64_t nodes) {
  std::vector<std::string> ids;
  for (const GraphData& part : parts) {
    if (!part.ids) continue;
    if (std::ssize(*part.ids) == nodes) return part.ids;
    ids.insert(ids.end(), part.ids->begin(), part.ids->end());
  }
  if (std::ssize(ids) != nodes) return std::nullopt;
  return ids;
}

}  // namespace

GraphData part_of(const GraphData& whole, const Ownership& ownership, int rank, int parties) {
  TACIT_CHECK(rank >= 0 && rank < parties);
  TACIT_CHECK(!whole.own_rows);
  check(whole, "the graph to split");
  const Holding holding = planned_holding(whole, ownership, parties);
  const auto of_rank = static_cast<std::size_t>(rank);
  GraphData part;
  part.nodes = whole.nodes;
  part.snapshots = whole.snapshots;
  part.graphs = whole.graphs;
  if (ownership.pairs) part.pairs = whole.pairs;
  if (!holding.own_rows.empty()) part.own_rows = holding.own_rows[of_rank];
  part.x = taken_if_any(whole.x, holding.x[of_rank]);
  part.missing_features = whole.missing_features;
  part.sparse_x = taken_if_any(whole.sparse_x, holding.x[of_rank]);
  if (!whole.feature_names.empty() && (part.x || part.sparse_x)) {
    const Block& columns = holding.x[of_rank];
    const auto first = whole.feature_names.begin() + columns.first_col;
    part.feature_names.assign(first, first + columns.cols);
  }
  part.classes = taken_if_any(whole.classes, holding.y[of_rank]);
  part.targets = taken_if_any(whole.targets, holding.y[of_rank]);
  part.train_mask = taken_if_any(whole.train_mask, holding.masks[of_rank]);
  part.val_mask = taken_if_any(whole.val_mask, holding.masks[of_rank]);
  part.test_mask = taken_if_any(whole.test_mask, holding.masks[of_rank]);
  if (whole.ids) {
    const NodeRange rows = part.own_rows.value_or(NodeRange{0, whole.nodes});
    part.ids.emplace(whole.ids->begin() + rows.first / whole.snapshots,
                     whole.ids->begin() + rows.end() / whole.snapshots);
  }
  const PartOwnership& edges = ownership.edges;
  if (edges.kind == Kind::kPublic || (edges.kind == Kind::kWhole && edges.rank == rank)) part.edges = whole.edges;
  if (edges.kind == Kind::kByOwner && part.own_rows->count > 0)
    part.edges = leaving(*whole.edges, *part.own_rows, whole.snapshots);
  if (edges.kind == Kind::kAnywhere) part.edges = seen_by(*whole.edges, holding, of_rank);
  return part;
}

GraphData merge(std::span<const GraphData> parts, const Ownership& ownership) {
  std::vector<Announcement> held;
  std::transform(parts.begin(), parts.end(), std::back_inserter(held), announcement_of);
  const Holding holding = agreed_holding(ownership, held);
  const Merge from(parts, holding);
  GraphData whole;
  whole.nodes = holding.nodes;
  whole.snapshots = holding.snapshots;
  whole.graphs = parts.front().graphs;
  whole.pairs = parts.front().pairs;
  from.x(ownership.features, whole);
  whole.feature_names = from.names(ownership.features);
  for (const GraphData& part : parts) whole.missing_features |= part.missing_features;
  from.y(ownership.labels, whole);
  from.masks(ownership.masks, whole);
  from.edges(ownership.edges, whole);
  whole.ids = merged_ids(parts, holding.graph_nodes());
  return whole;
}

}  // namespace tacit::gnn
