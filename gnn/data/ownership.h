// Ownership — who holds which part of a graph: what a job says of its features, edges, labels and masks.
//
// Nothing is public unless the job says so. All of it is public itself: the sizes of what each rank holds are known to
// every rank, and to the dealer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

constexpr std::int64_t kMostOfAnySize = std::int64_t{1} << 40;  // no sum of sizes overflows

enum class GraphPart { kFeatures, kEdges, kLabels, kMasks };

struct PartOwnership {
  enum class Kind {
    kNone,       // nobody needs it; whoever has it in a file may leave it there
    kPublic,     // everybody has all of it
    kWhole,      // `rank` has all of it
    kByColumns,  // every rank has some columns, of all nodes, in rank order
    kByRows,     // every rank has some nodes' rows, in rank order
    kByOwner,    // edges: each rank has those that leave its own nodes
  };
  Kind kind = Kind::kNone;
  int rank = 0;  // kWhole
  std::vector<std::int64_t>
      sizes;  // columns or rows of each rank, 0 for who holds none; empty: the files say, none is 0

  bool operator==(const PartOwnership&) const = default;
};

struct Ownership {
  PartOwnership features, edges, labels, masks;
};

// "none", "public", "rank 0", "columns", "columns 3,5", "rows", "rows 100,200", "edges", "edges 100,200". ConfigError
// says what is allowed for the part.
PartOwnership parse_ownership(std::string_view text, GraphPart part);
std::string to_text(const PartOwnership& ownership);
std::string_view name_of(GraphPart part);  // as in a job: features, edges, labels, masks

// ConfigError unless it names ranks of so many parties only, and one split of the nodes at most.
void check(const Ownership& ownership, int parties);

// True where something is split by nodes, so that each node has one owner.
bool splits_nodes(const Ownership& ownership);
bool states_nodes(const Ownership& ownership);  // and the job says how many each rank has

// How many nodes, or columns, each rank has: the job's sizes, or as even as possible, the first ranks one more.
// ConfigError unless the sizes add up to `total`, or where an even split would leave a rank nothing: that is said, not
// guessed.
std::vector<std::int64_t> node_split(const Ownership& ownership, std::int64_t nodes, int parties);
std::vector<std::int64_t> column_split(const PartOwnership& ownership, GraphPart part, std::int64_t columns,
                                       int parties);

}  // namespace tacit::gnn
