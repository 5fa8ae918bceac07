#include "gnn/graph/secret_adjacency.h"

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/roots.h"
#include "gnn/arithmetic/sharing.h"

namespace tacit::gnn {

Matrix dense_adjacency(const Edges& edges, std::int64_t nodes) {
  Matrix adjacency = Matrix::Zero(nodes, nodes);
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (edges.from[e] != edges.to[e]) adjacency(edges.to[e], edges.from[e]) = 1;
  }
  return adjacency;
}

// An edge's entry is the product of its row's number and its column's.
Tensor normalised(Arithmetic& arithmetic, const Tensor& adjacency, Normalisation normalisation) {
  constexpr double kLargestDegree = 1 << 12, kLargestEntry = 1.01;
  const std::int64_t nodes = adjacency.shape().rows;
  arithmetic.session().begin_part("normalising the graph");
  const auto degrees_of = [&](const Tensor& edges) {
    return arithmetic.rounded(row_sums(edges, kLargestDegree), Precision::kValue);
  };
  if (normalisation == Normalisation::kMean) {
    const Tensor degrees = degrees_of(adjacency);
    const Tensor ones = share_known(
        arithmetic, {1, nodes}, [&] { return Matrix::Ones(1, nodes); }, Precision::kWhole, 1, "ones");
    return products_of_pairs(arithmetic, adjacency, reciprocal(arithmetic, degrees), ones, kLargestEntry, "graph");
  }
  const Tensor loops = share_known(
      arithmetic, {nodes, nodes}, [&] { return Matrix::Identity(nodes, nodes); }, Precision::kWhole, 1, "loops");
  const Tensor joined = arithmetic.sum(adjacency, loops, 1, "edges and loops");
  if (normalisation == Normalisation::kSum) return joined;
  const Tensor roots = inverse_root(arithmetic, degrees_of(joined));
  return products_of_pairs(arithmetic, joined, roots, roots.transposed(), kLargestEntry, "graph");
}

}  // namespace tacit::gnn
