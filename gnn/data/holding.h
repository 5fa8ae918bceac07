// Holding — the parts of a split graph at each rank: the rectangle of x, y and the masks, and the
// number of edges.
//
// Owners announce the shapes of their files to all ranks, including the dealer. Every rank computes
// the same Holding, from which a program knows the owner of each piece of a tensor. The job
// states the number of classes, since the largest class at one rank would disclose data. The number
// of entries of a sparse x is not announced either.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// A rectangle of a matrix with a row for each node. An empty block is 0 × 0.
struct Block {
  std::int64_t first_row = 0, rows = 0, first_col = 0, cols = 0;

  Shape shape() const { return {rows, cols}; }
  bool empty() const { return rows == 0 || cols == 0; }
  bool operator==(const Block&) const = default;
};

// The announcement of one rank about its file. It has numbers only.
struct Announcement {
  std::int64_t nodes = 0;
  NodeRange own_rows;        // all nodes if the file does not state own rows
  Shape x, y;                // 0 × 0: no such matrix
  std::int64_t classes = 0;  // 1: y has classes; 0: y has targets, or is missing
  std::int64_t edges = -1;   // -1: no list of edges; 0: an empty list
  std::int64_t train_rows = -1, val_rows = -1, test_rows = -1;
  std::int64_t labelled = 0;   // number of rows of y with a label
  std::int64_t ids = -1;       // number of names of nodes; -1: the file has no names
  std::int64_t graphs = 0;     // number of graphs; 0: the labels are of nodes
  std::int64_t pairs = -1;     // number of pairs of nodes to predict; -1: the file has none
  std::int64_t snapshots = 1;  // states of the graph

  bool operator==(const Announcement&) const = default;
};

// The numbers in the order in which they are sent. A change of this order changes mpc::kProtocolNumber.
using AnnouncedNumbers = std::array<std::int64_t, 17>;
AnnouncedNumbers numbers_of(const Announcement& announcement);
Announcement announcement_of_numbers(const AnnouncedNumbers& numbers);

// Vectors have an entry for each rank.
struct Holding {
  std::int64_t nodes = 0;
  std::int64_t snapshots = 1;         // states of the graph; `nodes` counts each node in each state (snapshots.h)
  std::int64_t graphs = 0;            // 0: the labels are of nodes
  std::optional<std::int64_t> pairs;  // of a job that learns links: pairs of nodes that are predicted
  std::vector<NodeRange> own_rows;    // empty if no part is split by nodes
  std::int64_t features = 0;          // columns of x
  std::int64_t targets = 0;           // columns of y: 1 for classes, 0 if no rank has y
  bool classes = false;
  std::vector<Block> x, y;
  std::vector<std::int64_t> labelled;  // rows of y with a label
  std::vector<std::int64_t> edges;     // equal at all ranks if the graph is public
  std::vector<Block> masks;            // blocks of one column
  bool val_mask = false, test_mask = false;

  std::int64_t graph_nodes() const { return nodes / snapshots; }  // nodes of the graph, which edges and ids name
  // The number of rows of y without a label at a rank.
  std::int64_t unlabelled(std::size_t rank) const { return y[rank].rows - labelled[rank]; }
  bool all_labelled() const;  // at every rank
  // The number of nodes without a label among the rank's rows. With several graphs: the number of graphs without a label at the
  // rank if it has all rows, otherwise without a label at any rank. 0 if the rank has no labels.
  std::int64_t unlabelled_subjects(std::size_t rank) const;
  // The number of subjects of predictions: pairs, graphs, or nodes. Labels have the same subjects, except for pairs.
  std::int64_t subjects() const { return pairs ? *pairs : graphs > 0 ? graphs : nodes; }
  std::string_view subject() const;  // "node", "graph" or "pair"

  bool operator==(const Holding&) const = default;
};

Announcement announcement_of(const GraphData& data);

// The holding after a split of `whole`. Throws ConfigError if the numbers in the job do not fit it,
// or a part is missing.
Holding planned_holding(const GraphData& whole, const Ownership& ownership, int parties);

// True if a split gives the edge with this number to the rank, if any rank may hold edges (split.h). `own_rows`: see
// Holding.
bool sees_edge(const Edges& edges, std::size_t edge, std::span<const NodeRange> own_rows, std::int64_t snapshots,
               std::size_t rank, std::size_t parties);

// Combines the announcements of ranks 0, 1, … If a file does not fit the job or the other files, throws
// ConfigError with the rank and the part. All ranks have the same announcements, so all throw the same
// error.
Holding agreed_holding(const Ownership& ownership, std::span<const Announcement> announced);

}  // namespace tacit::gnn
