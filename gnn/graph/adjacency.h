// The normalised adjacency of a graph that everybody may know.
#pragma once

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/data/graph_data.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

enum class Normalisation {
  kSymmetric,  // D^-1/2 (A + I) D^-1/2, as Kipf and Welling
  kMean,       // the mean over the neighbours, without the node itself; 0 where there are none
};

// In double precision: row r holds the entries row_begin[r] … of the columns cols.
struct Adjacency {
  Shape shape;
  std::vector<std::int64_t> row_begin;
  std::vector<std::int32_t> cols;
  std::vector<double> values;

  std::int64_t entries() const { return static_cast<std::int64_t>(cols.size()); }
  Matrix times(const Matrix& x) const;
  Matrix transposed_times(const Matrix& x) const;
  // As a matrix that tensors are multiplied by. Throws ConfigError where an edge would be lost.
  mpc::SparseMatrix encoded(const Arithmetic& arithmetic) const;
};

// Row r of the result gathers over edges that lead to r. Edges that are there twice count once; loops from a node to
// itself count as the one that kSymmetric adds.
Adjacency normalised(const Edges& edges, std::int64_t nodes, Normalisation normalisation);

// These rows and columns of it; every entry of the rows must be in one of the columns.
Adjacency part_of(const Adjacency& adjacency, const Rows& rows, const Rows& cols);
// The rows and every column that has an entry in them.
Rows with_neighbours(const Adjacency& adjacency, const Rows& rows);

}  // namespace tacit::gnn
