#include "gnn/data/part_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "gnn/data/holding.h"
#include "gnn/data/several_graphs.h"
#include "gnn/data/snapshots.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

// Compares one part of this rank's file with the job.
class PartOfFile {
 public:
  PartOfFile(std::string_view where, std::string_view key, GraphPart part, const PartOwnership& owned, int rank)
      : where_(where), key_(key), job_(fmt::format("{}: {}", name_of(part), to_text(owned))), rank_(rank) {}

  void expect_presence(bool has, bool wants) const {
    if (has && !wants) {
      wrong(fmt::format("rank {} holds none of it; take it out of this file, or change the job", rank_));
    }
    if (!has && wants) {
      wrong(fmt::format("it is missing, and rank {} must hold it; add it, or change the job", rank_));
    }
  }

  void expect(std::string_view what, std::int64_t has, std::int64_t wants) const {
    if (has == wants) return;
    wrong(fmt::format("it has {} {}, and rank {} must hold {}; mend the file, or change the job", has, what, rank_,
                      wants));
  }

  [[noreturn]] void wrong(const std::string& what, std::string local_detail = "") const {
    throw ConfigError(fmt::format("{}: {}: the job says '{}': {}", where_, key_, job_, what), std::move(local_detail));
  }

 private:
  std::string_view where_, key_;
  std::string job_;
  int rank_;
};

// The presence and size of a part at this rank, as far as the job alone determines them.
struct Wanted {
  bool present = false;
  std::int64_t rows = 0;
  std::optional<std::int64_t> cols;
};

Wanted wanted(const PartOwnership& owned, std::int64_t nodes, const NodeRange& own_rows, int rank) {
  const auto of_rank = static_cast<std::size_t>(rank);
  switch (owned.kind) {
    case Kind::kNone:
      break;
    case Kind::kPublic:
      return {true, nodes, std::nullopt};
    case Kind::kWhole:
      return {owned.rank == rank, nodes, std::nullopt};
    case Kind::kByColumns:
      if (owned.sizes.empty()) return {true, nodes, std::nullopt};
      return {owned.sizes[of_rank] > 0, nodes, owned.sizes[of_rank]};
    case Kind::kByRows:
    case Kind::kByOwner:
      return {own_rows.count > 0, own_rows.count, std::nullopt};
    case Kind::kAnywhere:
      break;
  }
  return {};
}

// True if the job gives all nodes to this rank.
bool owns_all(const Ownership& ownership, int rank, int parties) {
  for (const PartOwnership* owned : {&ownership.features, &ownership.edges, &ownership.labels, &ownership.masks}) {
    if ((owned->kind != Kind::kByRows && owned->kind != Kind::kByOwner) || std::ssize(owned->sizes) != parties)
      continue;
    std::vector<std::int64_t> others = owned->sizes;
    others.erase(others.begin() + rank);
    return std::all_of(others.begin(), others.end(), [](std::int64_t size) { return size == 0; });
  }
  return false;
}

void check_own_rows(const GraphData& data, const Ownership& ownership, int rank, int parties, std::string_view where) {
  const auto refuse = [&](const std::string& why) { throw ConfigError(fmt::format("{}: own rows: {}", where, why)); };
  const NodeRange has = data.own_rows.value_or(NodeRange{0, data.nodes});
  if (!splits_nodes(ownership)) {
    if (has == NodeRange{0, data.nodes}) return;
    refuse(
        "the file is of some nodes, but the job splits nothing by rows or edges; take a file of all, or change the "
        "job");
  }
  if (!data.own_rows && has.count == data.nodes && parties > 1 && !owns_all(ownership, rank, parties)) {
    refuse(
        "the file lacks own_rows, which states the nodes of its rows, as own_rows = [100, 50]: 50 nodes from node "
        "100 on; `tacit data split` writes it, and so does `tacit data clean --rows 100:ALL` with the number of all "
        "rows");
  }
  if (!states_nodes(ownership)) {
    if (has.count > 0) return;
    refuse(fmt::format("rank {} owns no node; give the number of each rank in the job, 0 for who owns none", rank));
  }
  const std::vector<std::int64_t> split = node_split(ownership, data.nodes, parties);
  const NodeRange wants = {std::accumulate(split.begin(), split.begin() + rank, std::int64_t{0}),
                           split[static_cast<std::size_t>(rank)]};
  if (has == wants) return;
  refuse(
      fmt::format("the file is of {} nodes from {} on, and by the job rank {} owns {} from {} on; mend the file, or "
                  "change the job",
                  has.count / data.snapshots, has.first / data.snapshots, rank, wants.count / data.snapshots,
                  wants.first / data.snapshots));
}

void check_matrix(const PartOfFile& part, const Shape& has, const Wanted& wants) {
  part.expect_presence(has.size() > 0, wants.present);
  if (!wants.present) return;
  part.expect("rows", has.rows, wants.rows);
  if (wants.cols) part.expect("columns", has.cols, *wants.cols);
}

// `own_rows`: in data with snapshots, rows of nodes in all snapshots.
void check_sources(const Edges& edges, std::int64_t snapshots, const NodeRange& own_rows, int rank,
                   const PartOfFile& part) {
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (own_rows.contains(edges.from[e] * snapshots)) continue;
    part.wrong(
        fmt::format("edge {} leaves a node that rank {} doesn't own; give each edge to its source's owner, or let the "
                    "job say edges = \"any\", so that each rank may hold any edge",
                    e, rank),
        fmt::format("edge {} leaves node {}", e, edges.from[e]));
  }
}

}  // namespace

void check_part(const GraphData& data, const Ownership& ownership, int rank, int parties, std::string_view where,
                OwnNodes own_nodes) {
  TACIT_CHECK(rank >= 0 && rank < parties);
  check(data, where);
  check(ownership, parties);
  if (data.snapshots != ownership.snapshots) {
    throw ConfigError(fmt::format("{}: {}", where, other_snapshots(data.snapshots, ownership.snapshots)));
  }
  if (own_nodes == OwnNodes::kAsTheJobSays) check_own_rows(data, ownership, rank, parties, where);
  if (ownership.graphs != !data.graphs.empty()) {
    throw ConfigError(fmt::format("{}: {}", where, graphs_and_pool(!data.graphs.empty())));
  }
  const Announcement held = announcement_of(data);
  const auto wanted_of = [&](const PartOwnership& owned) { return wanted(owned, data.nodes, held.own_rows, rank); };
  if (ownership.features.kind != Kind::kNone) {
    const PartOfFile part(where, "x", GraphPart::kFeatures, ownership.features, rank);
    check_matrix(part, held.x, wanted_of(ownership.features));
  }
  if (ownership.labels.kind != Kind::kNone) {
    const PartOfFile part(where, "y", GraphPart::kLabels, ownership.labels, rank);
    check_matrix(part, held.y, wanted_of(ownership.labels));
  }
  const auto check_mask = [&](std::string_view key, const std::optional<NodeMask>& mask, bool needed) {
    if (ownership.masks.kind == Kind::kNone) return;
    const PartOfFile part(where, key, GraphPart::kMasks, ownership.masks, rank);
    const Wanted wants = wanted_of(ownership.masks);
    if (mask || needed) part.expect_presence(mask.has_value(), wants.present);
    if (mask) part.expect("rows", std::ssize(*mask), wants.rows);
  };
  check_mask("train_mask", data.train_mask, true);
  check_mask("val_mask", data.val_mask, false);
  check_mask("test_mask", data.test_mask, false);
  if (ownership.edges.kind != Kind::kNone) {
    const PartOfFile part(where, "edge_index", GraphPart::kEdges, ownership.edges, rank);
    if (ownership.edges.kind != Kind::kAnywhere) {
      part.expect_presence(data.edges.has_value(), wanted_of(ownership.edges).present);
    }
    if (ownership.edges.kind == Kind::kByOwner && data.edges)
      check_sources(*data.edges, data.snapshots, held.own_rows, rank, part);
  }
}

void check_missing_features(const GraphData& data, bool filled, std::string_view where) {
  if (filled || !data.x || !data.x->hasNaN()) return;
  throw ConfigError(fmt::format("{}: x: a feature is missing{}", where, kRemedyOfMissingFeature));
}

void check_whole_features(const GraphData& data, double most, std::string_view where) {
  const auto expect = [&](double value, std::int64_t row, std::int64_t column) {
    const bool within = std::abs(value) <= most;
    if (within && value == std::nearbyint(value)) return;
    const std::string what =
        within
            ? "no whole number, and the job says preprocessing.features = \"whole\"; say \"none\" in the job, or mend "
              "the file"
            : fmt::format("beyond ranges.features, which is {:g}; declare a wider range, or mend the file", most);
    throw ConfigError(fmt::format("{}: x: row {}, column {} is {}", where, row, column, what),
                      fmt::format("it is {}", value), "has a feature that is " + what);
  };
  if (data.x) {
    for (Eigen::Index row = 0; row < data.x->rows(); ++row) {
      for (Eigen::Index column = 0; column < data.x->cols(); ++column) expect((*data.x)(row, column), row, column);
    }
  }
  if (!data.sparse_x) return;
  const SparseFeatures& x = *data.sparse_x;
  for (std::size_t row = 0; row + 1 < x.row_begin.size(); ++row) {
    for (auto i = static_cast<std::size_t>(x.row_begin[row]); i < static_cast<std::size_t>(x.row_begin[row + 1]); ++i) {
      expect(x.values[i], static_cast<std::int64_t>(row), x.cols[i]);
    }
  }
}

void check_masks_apart(const GraphData& data, std::string_view where) {
  if (!data.train_mask) return;
  const auto expect_apart = [&](const std::optional<NodeMask>& other, const char* key) {
    if (!other) return;
    for (std::size_t row = 0; row < std::min(other->size(), data.train_mask->size()); ++row) {
      if (!(*other)[row] || !(*data.train_mask)[row]) continue;
      throw ConfigError(
          fmt::format("{}: {}: row {} is in train_mask as well; a metric of training records is exact, and the noise "
                      "of [privacy] does not cover it: take the row out of one mask",
                      where, key, row),
          "", "has a row in train_mask and in another mask, whose metrics the noise of [privacy] does not cover");
    }
  };
  expect_apart(data.val_mask, "val_mask");
  expect_apart(data.test_mask, "test_mask");
}

void check_edge_weights(const GraphData& data, bool weighted, std::string_view where) {
  if (!data.edges || data.edges->size() == 0) return;
  const Edges& edges = *data.edges;
  const auto wrong = [&](const std::string& why, std::string local_detail = "") {
    throw ConfigError(fmt::format("{}: edge_weight: {}", where, why), std::move(local_detail));
  };
  if (edges.weighted() && !weighted) wrong("edges have weights, and the job does not say data.edge_weights = true");
  if (!weighted) return;
  if (!edges.weighted()) {
    wrong(
        "it is missing, and the job says data.edge_weights = true: give a weight for each edge, as edge_weight in an "
        ".npz file or as a column weight of edges.csv");
  }
  std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>> ways;
  for (std::size_t e = 0; e < edges.weights.size(); ++e) {
    const double weight = edges.weights[e];
    if (!(weight >= kLeastWeight && weight <= kMostWeight)) {
      wrong(fmt::format("the weight of edge {} is not within {:g} ... {:g}; leave edges without weight out, and divide "
                        "all weights by one number if they are too large",
                        e, kLeastWeight, kMostWeight),
            fmt::format("it is {}", weight));
    }
    ways.emplace_back(edges.from[e], edges.to[e], e);
  }
  std::sort(ways.begin(), ways.end());
  for (std::size_t i = 1; i < ways.size(); ++i) {
    const auto& [from, to, e] = ways[i];
    if (from != std::get<0>(ways[i - 1]) || to != std::get<1>(ways[i - 1])) continue;
    wrong(fmt::format("the edges {} and {} are the same; add their weights up", std::get<2>(ways[i - 1]), e),
          fmt::format("they lead from {} to {}", from, to));
  }
}

void check_sums_of_weights(const GraphData& data, const PartOwnership& edges, int holders, std::string_view where) {
  if (!data.edges || !data.edges->weighted() || edges.kind == Kind::kPublic) return;
  const double most = kMostWeightOfNode / (edges.kind == Kind::kWhole ? 1 : holders);
  std::vector<double> sums(static_cast<std::size_t>(data.graph_nodes()));
  for (std::size_t e = 0; e < data.edges->weights.size(); ++e) {
    double& sum = sums[static_cast<std::size_t>(data.edges->to[e])];
    sum += data.edges->weights[e];
    if (sum <= most) continue;
    throw ConfigError(
        fmt::format(
            "{}: edge_weight: the weights of the edges that lead to one node add up to more than {:g}, and sums on "
            "shares reach no further; divide all weights, at all ranks, by one number",
            where, most),
        fmt::format("they lead to node {}", data.edges->to[e]));
  }
}

void check_numbers_of_edges(const GraphData& data, const PartOwnership& edges, int holders, std::string_view where) {
  if (!data.edges || data.edges->weighted() || edges.kind != Kind::kByOwner || data.graph_nodes() <= kMostDegree)
    return;
  const std::int64_t most = (kMostDegree - 1) / holders;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(data.graph_nodes()));
  for (const std::int64_t node : data.edges->to) {
    if (++counts[static_cast<std::size_t>(node)] <= most) continue;
    throw ConfigError(
        fmt::format(
            "{}: edge_index: more than {} edges lead to one node, and degrees on shares reach no further; leave "
            "some out, or give all edges to one rank (data.edges = \"rank R\")",
            where, most),
        fmt::format("they lead to node {}", node));
  }
}

void check_classes(const GraphData& data, std::int64_t classes, std::string_view where) {
  if (!data.classes) return;
  for (std::size_t i = 0; i < data.classes->size(); ++i) {
    if ((*data.classes)[i] < classes) continue;
    throw ConfigError(fmt::format("{}: y: the class in row {} is not one of 0 ... {}", where, i, classes - 1),
                      fmt::format("it is {}", (*data.classes)[i]));
  }
}

}  // namespace tacit::gnn
