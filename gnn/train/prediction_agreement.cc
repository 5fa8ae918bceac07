#include "gnn/train/prediction_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gnn/data/several_graphs.h"
#include "gnn/data/snapshots.h"
#include "gnn/train/announcing.h"
#include "gnn/train/id_lists.h"
#include "net/byte_fields.h"
#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;
using Numbers = std::vector<std::int64_t>;

bool is_public(const PartOwnership& owned) { return owned.kind == Kind::kPublic; }

bool holds(const PartOwnership& owned, int rank) {
  switch (owned.kind) {
    case Kind::kNone:
      return false;
    case Kind::kWhole:
      return owned.rank == rank;
    case Kind::kByColumns:
      return owned.sizes.empty() || owned.sizes[static_cast<std::size_t>(rank)] > 0;
    case Kind::kPublic:
    case Kind::kByRows:
    case Kind::kByOwner:
    case Kind::kAnywhere:
      return true;
  }
  return false;
}

// Completes the announcements of ranks that hold nothing, and so have no file that states the number of nodes.
void complete(const Ownership& ownership, std::vector<Announcement>& announced) {
  std::int64_t nodes = 0, first = 0;
  for (const Announcement& of_rank : announced) nodes = std::max(nodes, of_rank.nodes);
  for (std::size_t rank = 0; rank < announced.size(); ++rank) {
    Announcement& of_rank = announced[rank];
    if (!takes_part(ownership, static_cast<int>(rank))) {
      of_rank = {};
      of_rank.nodes = nodes;
      of_rank.snapshots = ownership.snapshots;
      of_rank.own_rows = splits_nodes(ownership) ? NodeRange{first, 0} : NodeRange{0, nodes};
    }
    first += of_rank.own_rows.count;
  }
}

void expect_columns(const std::vector<std::int64_t>& trained, const Holding& holding) {
  for (std::size_t rank = 0; rank < holding.x.size(); ++rank) {
    const Block& x = holding.x[rank];
    if (x.empty() || rank >= trained.size() || trained[rank] == 0 || x.cols == trained[rank]) continue;
    throw ConfigError(
        fmt::format("x: the file of rank {} has {} columns of features, and {} in the training: give it the same "
                    "columns in the same order",
                    rank, x.cols, trained[rank]));
  }
}

// `split`: each rank has columns of its own.
void expect_fit(const TrainingPlan& training, const std::vector<std::int64_t>& trained, bool split,
                const Holding& holding) {
  if (holding.nodes == 0) throw ConfigError("the data of the prediction have no nodes: name the files with --data");
  expect_columns(trained, holding);
  std::int64_t all = 0;
  for (const std::int64_t columns : trained) all = split ? all + columns : std::max(all, columns);
  if (all > 0 && all != holding.features) {
    throw ConfigError(fmt::format(
        "x: the files have {} columns of features, and {} in the training: give the same columns in the same order",
        holding.features, all));
  }
  check(training.model, holding.features);
}

void expect_nodes(const Rows& rows, const Holding& holding) {
  const std::string_view what = holding.subject();
  if (!are_whole_nodes(rows, holding.snapshots)) {
    throw ConfigError("the list of nodes to predict names a node in some snapshots alone: name whole nodes");
  }
  if (rows.empty()) throw ConfigError(fmt::format("the list of {}s to predict is empty: name at least one", what));
  if (rows.back() < holding.subjects()) return;
  throw ConfigError(fmt::format("{} {} is to be predicted, but the data have {}s 0 ... {}", what, rows.back(), what,
                                holding.subjects() - 1),
                    "", fmt::format("its list of {}s to predict names a {} that the data do not have", what, what));
}

// The nodes that `asker` names, at every party.
Rows rows_of_asker(net::Mesh& mesh, int asker, std::int64_t count, const std::optional<Rows>& asked) {
  constexpr const char* kWhat = "the list of nodes to predict";
  if (mesh.rank() == asker) {
    net::ByteWriter writer;
    for (const std::int64_t node : *asked) writer.number(static_cast<std::uint64_t>(node));
    const std::vector<std::byte> bytes = writer.take();
    for (int rank = 0; rank < mesh.parties(); ++rank) {
      if (rank != asker) mesh.channel(rank).post(net::kMainStream, bytes);
    }
    return *asked;
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * sizeof(std::uint64_t));
  mesh.channel(asker).receive(net::kMainStream, net::Bytes(bytes)).wait();
  net::ByteReader reader(bytes, kWhat);
  Rows rows;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto node = reader.number<std::uint64_t>();
    reader.require(node < static_cast<std::uint64_t>(kMostOfAnySize), "it names a node that cannot be");
    rows.push_back(static_cast<std::int64_t>(node));
  }
  reader.require(std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end(),
                 "its nodes do not ascend");
  return rows;
}

void agree_on_nodes(net::Mesh& mesh, const std::optional<Rows>& asked, PredictionAgreement& agreement) {
  const Holding& holding = agreement.holding;
  const std::int64_t own = asked ? std::ssize(*asked) : -1;
  const std::vector<Numbers> counts = net::tell_numbers(mesh, std::span(&own, 1));
  for (int rank = 0; rank < mesh.parties(); ++rank) {
    const std::int64_t count = counts[static_cast<std::size_t>(rank)][0];
    if (count == -1) continue;
    if (count < -1) expect_number_of_nodes(count, holding, rank);
    if (count % holding.snapshots != 0) {
      throw ConfigError(fmt::format("rank {} names nodes to predict in some snapshots alone: name whole nodes", rank));
    }
    if (count > holding.subjects()) {
      throw ConfigError(
          fmt::format("rank {0} names {1} {2}s to predict, and the data have {3}: take {2}s that the data do not have "
                      "out of the list",
                      rank, count, holding.subject(), holding.subjects()));
    }
    if (!agreement.asker) agreement.asker = rank;
  }
  if (!agreement.asker) {
    agreement.nodes = all_rows(holding.subjects());
    return;
  }
  const int asker = *agreement.asker;
  const std::int64_t count = counts[static_cast<std::size_t>(asker)][0];
  const bool party = mesh.world().is_party();
  agreement.nodes = party ? rows_of_asker(mesh, asker, count, asked) : all_rows(count);
  const std::int64_t differs = asked && *asked != agreement.nodes ? 1 : 0;
  const std::vector<Numbers> differing = net::tell_numbers(mesh, std::span(&differs, 1));
  for (int rank = 0; rank < mesh.parties(); ++rank) {
    if (differing[static_cast<std::size_t>(rank)][0] == 0) continue;
    throw ConfigError(
        fmt::format("ranks {} and {} name other {}s to predict: let one rank name them, or give both the same list",
                    asker, rank, holding.subject()));
  }
  if (party) expect_nodes(agreement.nodes, holding);
}

void look_at(const GraphData& part, const TrainingPlan& training, PredictionAgreement& agreement) {
  const Edges edges = edges_of_rows(*part.edges, part.snapshots);
  agreement.view = layered(training.model, adjacencies_of(training.model, edges, part.nodes, part.graphs),
                           rows_of(agreement, &part), part.pairs.value_or(Edges()));
  agreement.sizes = sizes_of(agreement.view->rows);
}

// Sends the sizes of a public graph's view from the parties to the dealer.
void agree_on_sizes(net::Mesh& mesh, const TrainingPlan& training, bool knows, PredictionAgreement& agreement) {
  if (!knows) agreement.sizes.assign(training.model.layers.size() + 1, 0);
  const std::vector<Numbers> all = net::tell_numbers(mesh, agreement.sizes);
  if (knows) return;
  for (int rank = 0; rank < mesh.parties(); ++rank) {
    const Numbers& numbers = all[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i) expect_number_of_nodes(numbers[i], agreement.holding, rank);
    if (numbers.back() != std::ssize(agreement.nodes)) {
      throw ProtocolError(fmt::format("rank {} announced a view that does not end with the nodes to predict", rank),
                          rank);
    }
    if (numbers == all[0]) continue;
    throw ProtocolError(fmt::format("ranks 0 and {} announced different views of the public graph", rank), rank);
  }
  agreement.sizes = all[0];
}

bool has_public_graph(const DataPlan& data) { return data.has_graph() && !data.private_graph(); }

}  // namespace

Ownership ownership_of_prediction(const Ownership& ownership) {
  Ownership made = ownership;
  made.labels = made.masks = {};
  if (made.features.kind == Kind::kByRows) made.features.sizes.clear();
  if (made.edges.kind == Kind::kByOwner) made.edges.sizes.clear();
  return made;
}

bool takes_part(const Ownership& ownership, int rank) {
  return ownership.graphs || ownership.pairs || holds(ownership.features, rank) || holds(ownership.edges, rank);
}

GraphData part_of_prediction(const GraphData& part, const Ownership& ownership, int rank) {
  GraphData made;
  if (!takes_part(ownership, rank)) return made;
  made.nodes = part.nodes;
  made.snapshots = part.snapshots;
  made.graphs = part.graphs;
  if (ownership.pairs) made.pairs = part.pairs;
  made.own_rows = splits_nodes(ownership_of_prediction(ownership)) ? part.own_rows : std::nullopt;
  if (made.own_rows || (part.ids && std::ssize(*part.ids) == part.graph_nodes())) made.ids = part.ids;
  if (holds(ownership.features, rank)) {
    made.x = part.x;
    made.missing_features = part.missing_features;
    made.sparse_x = part.sparse_x;
    made.feature_names = part.feature_names;
  }
  if (!holds(ownership.edges, rank)) return made;
  made.edges = part.edges;
  made.id_lists = part.id_lists;
  return made;
}

Rows rows_of(const PredictionAgreement& agreement, const GraphData* known) {
  const Holding& holding = agreement.holding;
  if (holding.graphs == 0 || known == nullptr) return agreement.nodes;
  return rows_at(subjects_of(holding.nodes, known->graphs), agreement.nodes);
}

PredictionAgreement agree_on_prediction(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training,
                                        const std::vector<std::int64_t>& trained, const GraphData* own,
                                        const std::optional<Rows>& asked) {
  mesh.set_step("agreeing on the data's shapes");
  const Ownership ownership = ownership_of_prediction(data.ownership);
  PredictionAgreement agreement;
  std::vector<Announcement> announced = told_announcements(mesh, own);
  complete(ownership, announced);
  agreement.holding = agreed_holding(ownership, announced);
  expect_fit(training, trained, ownership.features.kind == Kind::kByColumns, agreement.holding);
  agreement.row_order = compare_row_order(mesh, announced, own);
  compare_id_lists(mesh, ownership, announced, own);
  if (ownership.pairs) expect_pairs(agreement.holding);
  if (is_public(ownership.features) || is_public(ownership.edges) || ownership.graphs || ownership.pairs)
    compare_what_is_public(mesh, ownership, own);
  agree_on_nodes(mesh, asked, agreement);
  if (!has_public_graph(data)) return agreement;
  if (own != nullptr) look_at(*own, training, agreement);
  agree_on_sizes(mesh, training, own != nullptr, agreement);
  return agreement;
}

PredictionAgreement prediction_agreement_of(const DataPlan& data, const TrainingPlan& training,
                                            std::span<const GraphData> parts, const std::optional<Rows>& asked) {
  const Ownership ownership = ownership_of_prediction(data.ownership);
  std::vector<Announcement> announced;
  for (const GraphData& part : parts) announced.push_back(announcement_of(part));
  complete(ownership, announced);
  expect_equal_order(parts);
  PredictionAgreement agreement;
  agreement.holding = agreed_holding(ownership, announced);
  expect_equal_id_lists(parts);
  expect_fit(training, {}, false, agreement.holding);
  if (ownership.pairs) expect_pairs(agreement.holding);
  agreement.nodes = asked.value_or(all_rows(agreement.holding.subjects()));
  if (asked) agreement.asker = 0;
  expect_nodes(agreement.nodes, agreement.holding);
  if (has_public_graph(data)) look_at(parts[0], training, agreement);
  return agreement;
}

}  // namespace tacit::gnn
