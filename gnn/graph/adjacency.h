// Adjacency — the normalised adjacency matrix of a public graph, as a sparse matrix.
#pragma once

#include <span>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/data/graph_data.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

// The normalisation of a graph with weights. In a graph without weights an edge has the weight 1, and so has the loop that is
// added.
enum class Normalisation {
  kSymmetric,    // D^-1/2 (A + I) D^-1/2, as Kipf and Welling define it
  kMean,         // the weighted mean over the neighbours, without the node itself; 0 for a node without neighbours
  kSum,          // A + I: the weighted sum over the neighbours and the node itself
  kMeanOfGraph,  // without edges: the mean over the nodes of a graph, at its first node
  kSumOfGraph,   // without edges: the sum over the nodes of a graph, at its first node
};

// Values in double precision. Row r has the entries row_begin[r] … row_begin[r + 1] - 1 of `cols`
// and `values`.
struct Adjacency {
  Shape shape;
  std::vector<std::int64_t> row_begin;
  std::vector<std::int32_t> cols;
  std::vector<double> values;
  bool exact_sums = false;  // encoded, the sum of a row is as near as an entry is: for means of many nodes

  std::int64_t entries() const { return static_cast<std::int64_t>(cols.size()); }
  Matrix times(const Matrix& x) const;
  Matrix transposed_times(const Matrix& x) const;
  // The matrix as a factor for tensors. `whole`: all entries are whole numbers, and have no fraction bits. Throws ConfigError
  // if an edge would be lost.
  mpc::SparseMatrix encoded(const Arithmetic& arithmetic, bool whole = false) const;
};

// Row r of the result gathers over the edges that lead to r. A repeated edge counts once. A loop
// from a node to itself counts as the loop that kSymmetric and kSum add.
Adjacency normalised(const Edges& edges, std::int64_t nodes, Normalisation normalisation);

// The same for kMeanOfGraph and kSumOfGraph. Rows of other nodes than the first of a graph have no entries.
Adjacency pooling(std::span<const std::int64_t> graphs, Normalisation normalisation);

// The adjacency of a sum with another entry for the node itself. An entry of 0 is left out.
Adjacency with_loops(const Adjacency& sum, double loop);

// The submatrix of `rows` and `cols`. The columns must include every entry of the rows.
Adjacency part_of(const Adjacency& adjacency, const Rows& rows, const Rows& cols);
// The submatrix of `rows` and the columns with the same numbers. Entries of other columns are left out.
Adjacency among(const Adjacency& adjacency, const Rows& rows);
// The rows together with every column that has an entry in them.
Rows with_neighbours(const Adjacency& adjacency, const Rows& rows);

}  // namespace tacit::gnn
