// Ownership — the owner of each part of a graph, as the job states it: features, edges, labels and
// masks.
//
// A part is private unless the job calls it public. The ownership itself is public: every rank and
// the dealer know the sizes of the pieces that each rank holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

constexpr std::int64_t kMostOfAnySize = std::int64_t{1} << 40;  // keeps sums of sizes from overflowing

enum class GraphPart { kFeatures, kEdges, kLabels, kMasks };

struct PartOwnership {
  enum class Kind {
    kNone,       // not used; a file may have the part
    kPublic,     // every rank has the whole part
    kWhole,      // `rank` has the whole part
    kByColumns,  // every rank has some columns of all nodes, in rank order
    kByRows,     // every rank has the rows of some nodes, in rank order
    kByOwner,    // edges: each rank has the edges that leave its own nodes
    kAnywhere,   // edges: each rank has any edges, or none; an edge of several ranks counts once
  };
  Kind kind = Kind::kNone;
  int rank = 0;  // kWhole
  std::vector<std::int64_t>
      sizes;  // columns or rows of each rank, 0 for a rank without any; empty: the files decide, and no size is 0

  bool operator==(const PartOwnership&) const = default;
};

struct Ownership {
  PartOwnership features, edges, labels, masks;
  bool pairs = false;   // links are learned: every rank has the pairs that are predicted
  bool graphs = false;  // several graphs, as the model pools: every rank has the number of each node's graph
  std::int64_t snapshots =
      1;  // states of the graph (snapshots.h); sizes of rows count each node once for all snapshots
};

// Parses "none", "public", "rank 0", "columns", "columns 3,5", "rows", "rows 100,200", "edges",
// "edges 100,200" or "any". Throws ConfigError that lists the forms allowed for the part.
PartOwnership parse_ownership(std::string_view text, GraphPart part);
std::string to_text(const PartOwnership& ownership);
std::string_view name_of(GraphPart part);  // the name in a job: features, edges, labels, masks
// "pair", "graph" or "node": the subject of a label, in messages.
std::string_view subject_name(bool graphs, bool pairs = false);

// Throws ConfigError if it names a rank that does not exist, or splits the nodes in two different
// ways.
void check(const Ownership& ownership, int parties);

// True if some part is split by nodes, so that each node has one owner.
bool splits_nodes(const Ownership& ownership);
bool states_nodes(const Ownership& ownership);  // true if the job states the number of nodes of each rank

// The number of nodes (of rows, if there are snapshots), or columns, of each rank: the sizes in the job, or an even split in which
// the first ranks have one more. Throws ConfigError unless the sizes add up to the total, or if an
// even split would leave a rank without any. The job must state such a split.
std::vector<std::int64_t> node_split(const Ownership& ownership, std::int64_t nodes, int parties);
std::vector<std::int64_t> column_split(const PartOwnership& ownership, GraphPart part, std::int64_t columns,
                                       int parties);

}  // namespace tacit::gnn
