// The public shapes of a split graph: which rectangle of x and y each rank holds, and how many edges.
//
// Owners announce what their files hold, to the dealer too; everybody comes to the same PublicShapes, from which a
// program knows whose input each piece of a tensor is. How many classes there are is the job's to say: the largest
// class at one rank would tell of its data. Nor does anybody announce how many entries a sparse x has.
#pragma once

#include <span>
#include <type_traits>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// Of a matrix with a row for each node: a rectangle, or nothing (0 × 0).
struct Block {
  std::int64_t first_row = 0, rows = 0, first_col = 0, cols = 0;

  Shape shape() const { return {rows, cols}; }
  bool empty() const { return rows == 0 || cols == 0; }
  bool operator==(const Block&) const = default;
};

// What one rank announces of its file: numbers only, so that it travels as it is.
struct HeldShapes {
  std::int64_t nodes = 0;
  NodeRange own_rows;        // all nodes where the file says nothing of own rows
  Shape x, y;                // 0 × 0: none
  std::int64_t classes = 0;  // 1: y is of classes; 0: of targets, or not there
  std::int64_t edges = -1;   // -1: none, not even an empty list
  std::int64_t train_rows = -1, val_rows = -1, test_rows = -1;
  std::int64_t ids = -1;  // how many names of nodes; -1: the file has none

  bool operator==(const HeldShapes&) const = default;
};
static_assert(std::is_trivially_copyable_v<HeldShapes>);

// Vectors have an entry for each rank.
struct PublicShapes {
  std::int64_t nodes = 0;
  std::vector<NodeRange> own_rows;  // empty where no part is split by nodes
  std::int64_t features = 0;        // columns of x
  std::int64_t targets = 0;         // columns of y: 1 of classes, 0 where nobody has y
  bool classes = false;
  std::vector<Block> x, y;
  std::vector<std::int64_t> edges;  // where the graph is public, the same at each
  std::vector<Block> masks;         // of one column
  bool val_mask = false, test_mask = false;

  bool operator==(const PublicShapes&) const = default;
};

HeldShapes held_shapes(const GraphData& data);

// What the parts of `whole` would be. ConfigError where the job's numbers don't fit it, or a part of it is missing.
PublicShapes planned_shapes(const GraphData& whole, const Ownership& ownership, int parties);

// Of what ranks 0, 1, … announce. ConfigError names the rank whose file doesn't fit the job or the others', and the
// part. Everybody gets the same announcements, so everybody gets the same error.
PublicShapes agreed_shapes(const Ownership& ownership, std::span<const HeldShapes> announced);

}  // namespace tacit::gnn
