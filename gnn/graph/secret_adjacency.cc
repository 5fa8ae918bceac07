#include "gnn/graph/secret_adjacency.h"

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"

namespace tacit::gnn {

namespace {

Tensor with_loops(Arithmetic& arithmetic, const Tensor& x, Precision precision, double bound, const std::string& name) {
  const Tensor loops = share_known(
      arithmetic, x.shape(), [&] { return Matrix::Identity(x.shape().rows, x.shape().cols); }, precision, 1, "loops");
  return arithmetic.sum(x, loops, bound, name);
}

}  // namespace

Matrix dense_adjacency(const Edges& edges, std::int64_t nodes) {
  Matrix adjacency = Matrix::Zero(nodes, nodes);
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (edges.from[e] != edges.to[e]) adjacency(edges.to[e], edges.from[e]) = 1;
  }
  return adjacency;
}

Matrix dense_weights(const Edges& edges, std::int64_t nodes) {
  Matrix weights = Matrix::Zero(nodes, nodes);
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (edges.from[e] != edges.to[e]) weights(edges.to[e], edges.from[e]) = edges.weights[e];
  }
  return weights;
}

// An edge's entry is the product of its row's number, its column's, and its weight.
Tensor normalised(Arithmetic& arithmetic, const SecretEdges& edges, Normalisation normalisation, std::int64_t at_once) {
  constexpr double kLargestSum = 1 << 12;  // of weights
  // An entry may be above 1 if the weights of the two ways of an edge differ.
  const double largest_entry = edges.weights && normalisation == Normalisation::kSymmetric ? 64 : 1.01;
  const Tensor& adjacency = edges.there;
  const std::int64_t nodes = adjacency.shape().rows;
  arithmetic.session().begin_part(kNormalisingPart);
  const auto degrees_of = [&](const Tensor& there) { return row_sums(there, static_cast<double>(nodes)); };
  if (normalisation == Normalisation::kMean) {
    const Tensor inverse = edges.weights ? reciprocal(arithmetic, row_sums(*edges.weights, kLargestSum))
                                         : reciprocal_of_whole(arithmetic, degrees_of(adjacency));
    const Tensor ones = share_known(
        arithmetic, {1, nodes}, [&] { return Matrix::Ones(1, nodes); }, Precision::kWhole, 1, "ones");
    return products_of_pairs(arithmetic, {adjacency, edges.weights}, inverse, ones, largest_entry, "graph", at_once);
  }
  const Tensor joined = with_loops(arithmetic, adjacency, Precision::kWhole, 1, "edges and loops");
  std::optional<Tensor> weights;
  if (edges.weights) {
    weights = with_loops(arithmetic, *edges.weights, Precision::kWeight, edges.weights->bound(), "weights and loops");
  }
  if (normalisation == Normalisation::kSum) return weights ? in_top_ring(arithmetic, *weights) : joined;
  const Tensor roots = weights ? inverse_root(arithmetic, row_sums(*weights, kLargestSum))
                               : inverse_root_of_whole(arithmetic, degrees_of(joined));
  return products_of_pairs(arithmetic, {joined, weights}, roots, roots.transposed(), largest_entry, "graph", at_once);
}

}  // namespace tacit::gnn
