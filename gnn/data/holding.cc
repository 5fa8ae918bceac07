#include "gnn/data/holding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gnn/data/labels.h"
#include "gnn/data/several_graphs.h"
#include "gnn/data/snapshots.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

std::array<std::int64_t*, std::tuple_size_v<AnnouncedNumbers>> fields_of(Announcement& told) {
  return {&told.nodes,  &told.own_rows.first, &told.own_rows.count, &told.x.rows,     &told.x.cols,   &told.y.rows,
          &told.y.cols, &told.classes,        &told.edges,          &told.train_rows, &told.val_rows, &told.test_rows,
          &told.ids,    &told.labelled,       &told.graphs,         &told.pairs,      &told.snapshots};
}

Shape shape_of_x(const GraphData& data) {
  if (data.sparse_x) return data.sparse_x->shape;
  return data.x ? mpc::shape_of(*data.x) : Shape{};
}

Shape shape_of_y(const GraphData& data) {
  if (data.classes) return {std::ssize(*data.classes), 1};
  return data.targets ? mpc::shape_of(*data.targets) : Shape{};
}

std::vector<NodeRange> rows_of(const std::vector<std::int64_t>& counts) {
  std::vector<NodeRange> rows;
  std::int64_t first = 0;
  for (const std::int64_t count : counts) {
    rows.push_back({first, count});
    first += count;
  }
  return rows;
}

// The rectangle of each rank in a matrix of this shape. `split` has the columns of each rank, for a
// split by columns.
std::vector<Block> blocks(const PartOwnership& owned, Shape shape, const std::vector<std::int64_t>& split,
                          const std::vector<NodeRange>& own_rows, std::size_t parties) {
  const Block all = {0, shape.rows, 0, shape.cols};
  std::vector<Block> of_rank(parties);
  std::int64_t first_col = 0;
  for (std::size_t rank = 0; rank < parties; ++rank) {
    Block& block = of_rank[rank];
    if (owned.kind == Kind::kPublic || (owned.kind == Kind::kWhole && static_cast<int>(rank) == owned.rank))
      block = all;
    if (owned.kind == Kind::kByRows) block = {own_rows[rank].first, own_rows[rank].count, 0, shape.cols};
    if (owned.kind == Kind::kByColumns) {
      block = {0, shape.rows, first_col, split[rank]};
      first_col += split[rank];
    }
    if (block.empty()) block = {};
  }
  return of_rank;
}

std::vector<std::int64_t> edges_by_owner(const Edges& edges, const std::vector<NodeRange>& own_rows,
                                         std::int64_t snapshots) {
  std::vector<std::int64_t> counts(own_rows.size());
  for (const std::int64_t node : edges.from) {
    const auto owner = std::find_if(own_rows.begin(), own_rows.end(),
                                    [&](const NodeRange& rows) { return rows.contains(node * snapshots); });
    TACIT_CHECK(owner != own_rows.end());
    ++counts[static_cast<std::size_t>(owner - own_rows.begin())];
  }
  return counts;
}

std::vector<std::int64_t> edges_by_seer(const Edges& edges, const std::vector<NodeRange>& own_rows,
                                        std::int64_t snapshots, std::size_t parties) {
  std::vector<std::int64_t> counts(parties);
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    for (std::size_t rank = 0; rank < parties; ++rank) {
      if (sees_edge(edges, e, own_rows, snapshots, rank, parties)) ++counts[rank];
    }
  }
  return counts;
}

std::int64_t labelled_in(const GraphData& whole, const Block& y) {
  GraphData part;
  if (y.empty()) return 0;
  if (whole.targets) part.targets = whole.targets->block(y.first_row, y.first_col, y.rows, y.cols);
  if (whole.classes) {
    part.classes.emplace(whole.classes->begin() + y.first_row, whole.classes->begin() + y.first_row + y.rows);
  }
  return std::ssize(labelled_rows(part));
}

// The number of columns of x or y: of each rank, and in all.
struct ColumnsByRank {
  std::vector<std::int64_t> of_rank;
  std::int64_t all = 0;
};

ColumnsByRank planned_columns(const PartOwnership& owned, GraphPart part, Shape whole, int parties) {
  if (owned.kind == Kind::kNone) return {};
  if (whole.size() == 0) {
    throw ConfigError(fmt::format("{}: '{}', but the graph has none", name_of(part), to_text(owned)));
  }
  if (owned.kind != Kind::kByColumns) return {{}, whole.cols};
  return {column_split(owned, part, whole.cols, parties), whole.cols};
}

ColumnsByRank announced_columns(const PartOwnership& owned, GraphPart part, std::span<const Announcement> announced,
                                Shape Announcement::*held) {
  ColumnsByRank columns;
  if (owned.kind == Kind::kNone) return columns;
  for (const Announcement& of_rank : announced) columns.of_rank.push_back((of_rank.*held).cols);
  if (!owned.sizes.empty() && owned.kind == Kind::kByColumns) columns.of_rank = owned.sizes;
  for (const std::int64_t cols : columns.of_rank) {
    columns.all = owned.kind == Kind::kByColumns ? columns.all + cols : std::max(columns.all, cols);
  }
  if (columns.all == 0) {
    throw ConfigError(fmt::format("{}: '{}', but no rank's file has any", name_of(part), to_text(owned)));
  }
  return columns;
}

Holding assembled(const Ownership& ownership, std::size_t parties, std::int64_t nodes, std::vector<NodeRange> own_rows,
                  const ColumnsByRank& x, const ColumnsByRank& y) {
  Holding holding;
  holding.nodes = nodes;
  holding.own_rows = std::move(own_rows);
  holding.features = x.all;
  holding.targets = y.all;
  holding.x = blocks(ownership.features, {nodes, x.all}, x.of_rank, holding.own_rows, parties);
  holding.y = blocks(ownership.labels, {nodes, y.all}, y.of_rank, holding.own_rows, parties);
  holding.masks = blocks(ownership.masks, {nodes, 1}, {}, holding.own_rows, parties);
  holding.labelled.assign(parties, 0);
  holding.edges.assign(parties, 0);
  return holding;
}

// Compares one rank's announcement with the job and with the other announcements.
class Announced {
 public:
  Announced(std::size_t rank, const Announcement& held) : rank_(rank), held_(held) {}

  void in_bounds() const {
    for (const std::int64_t number : {held_.nodes, held_.own_rows.first, held_.own_rows.count, held_.x.rows,
                                      held_.x.cols, held_.y.rows, held_.y.cols}) {
      if (number < 0 || number > kMostOfAnySize) wrong(kSizes, kAreNone, number);
    }
    for (const std::int64_t or_none : {held_.edges, held_.train_rows, held_.val_rows, held_.test_rows, held_.pairs}) {
      if (or_none < -1 || or_none > kMostOfAnySize) wrong(kSizes, kAreNone, or_none);
    }
    if (held_.snapshots < 1 || held_.snapshots > kMostSnapshots) wrong(kSizes, kAreNone, held_.snapshots);
    for (const std::int64_t rows : {held_.nodes, held_.own_rows.first, held_.own_rows.count}) {
      if (rows % held_.snapshots != 0) wrong(kSizes, kAreNone, rows);
    }
    if (held_.graphs < 0 || held_.graphs > held_.nodes) wrong(kSizes, kAreNone, held_.graphs);
    if (held_.pairs > kMostPairs) wrong(kSizes, kAreNone, held_.pairs);
    if (held_.labelled < 0 || held_.labelled > held_.y.rows) wrong(kSizes, kAreNone, held_.labelled);
    if (held_.classes != 0 && held_.classes != 1) wrong(kSizes, kAreNone, held_.classes);
  }

  // The matrix of all owners' columns for all nodes must have a number of elements that can be
  // counted.
  void expect_countable(std::int64_t nodes, std::int64_t columns) const {
    if (nodes > 0 && columns > kMostOfAnySize / nodes)
      wrong(kSizes, "make a matrix beyond 2^40 elements, with columns", columns);
  }

  void expect(std::string_view what, std::int64_t has, std::int64_t wants) const {
    if (has == wants) return;
    wrong(what, fmt::format("must be {}, by the job and the other ranks' files, and it is", wants), has);
  }

  void expect(std::string_view what, Shape has, Shape wants) const {
    if (has == wants) return;
    wrong(what,
          fmt::format("must be {} x {}, by the job and the other ranks' files, and it is", wants.rows, wants.cols),
          fmt::format("{} x {}", has.rows, has.cols));
  }

  // If any rank has the mask, every holder of masks must have it.
  void expect_mask(std::string_view name, std::int64_t has, const Block& wants, bool anywhere) const {
    expect(fmt::format("the length of {} (-1: none)", name), has, wants.empty() || !anywhere ? -1 : wants.rows);
  }

 private:
  static constexpr std::string_view kSizes = "its sizes", kAreNone = "are not sizes of a file";

  template <typename Value>
  [[noreturn]] void wrong(std::string_view what, std::string_view why, const Value& value) const {
    throw ConfigError(fmt::format("the file of rank {}: {} {} {}", rank_, what, why, value));
  }

  std::size_t rank_;
  const Announcement& held_;
};

std::vector<NodeRange> announced_rows(const Ownership& ownership, std::span<const Announcement> announced) {
  std::vector<std::int64_t> counts;
  for (const Announcement& held : announced) counts.push_back(held.own_rows.count);
  const std::int64_t nodes = announced[0].nodes;
  if (states_nodes(ownership)) counts = node_split(ownership, nodes, static_cast<int>(announced.size()));
  std::vector<NodeRange> own_rows = rows_of(counts);
  for (std::size_t rank = 0; rank < announced.size(); ++rank) {
    const Announced of_rank(rank, announced[rank]);
    const auto expect_nodes = [&](std::string_view what, std::int64_t has, std::int64_t wants) {
      of_rank.expect(what, has / ownership.snapshots, wants / ownership.snapshots);
    };
    expect_nodes("the first of its own rows", announced[rank].own_rows.first, own_rows[rank].first);
    expect_nodes("the number of its own rows", announced[rank].own_rows.count, own_rows[rank].count);
    if (rank + 1 == announced.size()) expect_nodes("the end of its own rows", own_rows[rank].end(), nodes);
  }
  return own_rows;
}

void expect_edges(const Announced& of_rank, const PartOwnership& owned, const Announcement& held, bool own_nodes,
                  int rank, const Announcement& first) {
  if (owned.kind == Kind::kNone || owned.kind == Kind::kAnywhere) return;
  const bool wanted = owned.kind == Kind::kPublic || (owned.kind == Kind::kWhole && owned.rank == rank) ||
                      (owned.kind == Kind::kByOwner && own_nodes);
  if (!wanted) of_rank.expect("the number of edges (-1: none)", held.edges, -1);
  if (wanted && held.edges < 0) of_rank.expect("the number of lists of edges", 0, 1);
  if (owned.kind == Kind::kPublic) of_rank.expect("the number of edges", held.edges, first.edges);
}

}  // namespace

AnnouncedNumbers numbers_of(const Announcement& announcement) {
  Announcement copy = announcement;
  AnnouncedNumbers numbers;
  const auto fields = fields_of(copy);
  for (std::size_t i = 0; i < fields.size(); ++i) numbers[i] = *fields[i];
  return numbers;
}

Announcement announcement_of_numbers(const AnnouncedNumbers& numbers) {
  Announcement told;
  const auto fields = fields_of(told);
  for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = numbers[i];
  return told;
}

bool Holding::all_labelled() const {
  for (std::size_t rank = 0; rank < y.size(); ++rank) {
    if (unlabelled(rank) > 0) return false;
  }
  return true;
}

std::string_view Holding::subject() const { return subject_name(graphs > 0, pairs.has_value()); }

std::int64_t Holding::unlabelled_subjects(std::size_t rank) const {
  if (graphs == 0) return unlabelled(rank);
  if (y[rank].empty()) return 0;
  const bool all = y[rank].rows == nodes;
  const std::int64_t known = all ? labelled[rank] : std::accumulate(labelled.begin(), labelled.end(), std::int64_t{0});
  return std::max<std::int64_t>(graphs - known, 0);
}

Announcement announcement_of(const GraphData& data) {
  const auto rows_of_mask = [](const std::optional<NodeMask>& mask) { return mask ? std::ssize(*mask) : -1; };
  Announcement held;
  held.nodes = data.nodes;
  held.snapshots = data.snapshots;
  held.own_rows = data.own_rows.value_or(NodeRange{0, data.nodes});
  held.x = shape_of_x(data);
  held.y = shape_of_y(data);
  held.classes = data.classes ? 1 : 0;
  held.labelled = std::ssize(labelled_rows(data));
  held.edges = data.edges ? data.edges->size() : -1;
  held.ids = data.ids ? std::ssize(*data.ids) : -1;
  held.graphs = number_of_graphs(data);
  held.pairs = data.pairs ? data.pairs->size() : -1;
  held.train_rows = rows_of_mask(data.train_mask);
  held.val_rows = rows_of_mask(data.val_mask);
  held.test_rows = rows_of_mask(data.test_mask);
  return held;
}

bool sees_edge(const Edges& edges, std::size_t edge, std::span<const NodeRange> own_rows, std::int64_t snapshots,
               std::size_t rank, std::size_t parties) {
  const std::int64_t from = edges.from[edge], to = edges.to[edge];
  if (own_rows.empty()) return static_cast<std::size_t>(from + to) % parties == rank;
  return own_rows[rank].contains(from * snapshots) || (!edges.weighted() && own_rows[rank].contains(to * snapshots));
}

Holding planned_holding(const GraphData& whole, const Ownership& ownership, int parties) {
  check(ownership, parties);
  if (whole.snapshots != ownership.snapshots) {
    throw ConfigError(other_snapshots(whole.snapshots, ownership.snapshots));
  }
  std::vector<NodeRange> own_rows;
  if (splits_nodes(ownership)) own_rows = rows_of(node_split(ownership, whole.nodes, parties));
  const ColumnsByRank x = planned_columns(ownership.features, GraphPart::kFeatures, shape_of_x(whole), parties);
  const ColumnsByRank y = planned_columns(ownership.labels, GraphPart::kLabels, shape_of_y(whole), parties);
  const auto ranks = static_cast<std::size_t>(parties);
  Holding holding = assembled(ownership, ranks, whole.nodes, std::move(own_rows), x, y);
  holding.snapshots = whole.snapshots;
  holding.graphs = number_of_graphs(whole);
  if (ownership.pairs) holding.pairs = whole.pairs ? whole.pairs->size() : 0;
  if (ownership.graphs != (holding.graphs > 0)) throw ConfigError(std::string(graphs_and_pool(holding.graphs > 0)));
  if (ownership.labels.kind != Kind::kNone) {
    holding.classes = whole.classes.has_value();
    for (std::size_t rank = 0; rank < ranks; ++rank) holding.labelled[rank] = labelled_in(whole, holding.y[rank]);
  }
  if (ownership.masks.kind != Kind::kNone) {
    if (!whole.train_mask)
      throw ConfigError(fmt::format("masks: '{}', but the graph has none", to_text(ownership.masks)));
    holding.val_mask = whole.val_mask.has_value();
    holding.test_mask = whole.test_mask.has_value();
  }
  const PartOwnership& edges = ownership.edges;
  if (edges.kind == Kind::kNone) return holding;
  if (!whole.edges) throw ConfigError(fmt::format("edges: '{}', but the graph has none", to_text(edges)));
  if (edges.kind == Kind::kPublic) holding.edges.assign(ranks, whole.edges->size());
  if (edges.kind == Kind::kWhole) holding.edges[static_cast<std::size_t>(edges.rank)] = whole.edges->size();
  if (edges.kind == Kind::kAnywhere)
    holding.edges = edges_by_seer(*whole.edges, holding.own_rows, whole.snapshots, ranks);
  if (edges.kind == Kind::kByOwner) holding.edges = edges_by_owner(*whole.edges, holding.own_rows, whole.snapshots);
  return holding;
}

Holding agreed_holding(const Ownership& ownership, std::span<const Announcement> announced) {
  check(ownership, static_cast<int>(announced.size()));
  for (std::size_t rank = 0; rank < announced.size(); ++rank) {
    const Announced of_rank(rank, announced[rank]);
    of_rank.in_bounds();
    of_rank.expect("the number of snapshots", announced[rank].snapshots, ownership.snapshots);
    of_rank.expect("the number of nodes", announced[rank].nodes / ownership.snapshots,
                   announced[0].nodes / ownership.snapshots);
    of_rank.expect("the number of graphs (0: the labels are of nodes)", announced[rank].graphs, announced[0].graphs);
    if (ownership.pairs) {
      of_rank.expect("the number of pairs to predict (-1: none)", announced[rank].pairs, announced[0].pairs);
    }
  }
  for (const auto part : {&Announcement::x, &Announcement::y}) {
    std::int64_t columns = 0;
    for (std::size_t rank = 0; rank < announced.size(); ++rank) {
      columns += (announced[rank].*part).cols;
      Announced(rank, announced[rank]).expect_countable(announced[0].nodes, columns);
    }
  }
  std::vector<NodeRange> own_rows;
  if (splits_nodes(ownership)) own_rows = announced_rows(ownership, announced);
  const bool masked = ownership.masks.kind != Kind::kNone;
  Holding holding = assembled(ownership, announced.size(), announced[0].nodes, std::move(own_rows),
                              announced_columns(ownership.features, GraphPart::kFeatures, announced, &Announcement::x),
                              announced_columns(ownership.labels, GraphPart::kLabels, announced, &Announcement::y));
  holding.snapshots = ownership.snapshots;
  holding.graphs = announced[0].graphs;
  if (ownership.pairs) holding.pairs = std::max<std::int64_t>(announced[0].pairs, 0);
  if (ownership.graphs != (holding.graphs > 0)) throw ConfigError(std::string(graphs_and_pool(holding.graphs > 0)));
  for (const Announcement& held : announced) {
    holding.classes = holding.classes || (holding.targets > 0 && held.classes != 0);
    holding.val_mask = holding.val_mask || (masked && held.val_rows >= 0);
    holding.test_mask = holding.test_mask || (masked && held.test_rows >= 0);
  }
  for (std::size_t rank = 0; rank < announced.size(); ++rank) {
    const Announcement& held = announced[rank];
    const Announced of_rank(rank, held);
    of_rank.expect("x", held.x, holding.x[rank].shape());
    if (ownership.labels.kind != Kind::kNone) {
      holding.labelled[rank] = held.labelled;
      of_rank.expect("y", held.y, holding.y[rank].shape());
      if (!holding.y[rank].empty())
        of_rank.expect("y's being classes (1) or targets (0)", held.classes, holding.classes);
    }
    if (masked) {
      of_rank.expect_mask("train_mask", held.train_rows, holding.masks[rank], true);
      of_rank.expect_mask("val_mask", held.val_rows, holding.masks[rank], holding.val_mask);
      of_rank.expect_mask("test_mask", held.test_rows, holding.masks[rank], holding.test_mask);
    }
    const bool own_nodes = !holding.own_rows.empty() && holding.own_rows[rank].count > 0;
    expect_edges(of_rank, ownership.edges, held, own_nodes, static_cast<int>(rank), announced[0]);
    if (ownership.edges.kind != Kind::kNone) holding.edges[rank] = std::max<std::int64_t>(held.edges, 0);
  }
  return holding;
}

}  // namespace tacit::gnn
