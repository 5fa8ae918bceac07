#include "gnn/graph/secret_adjacency.h"

#include "gnn/tensor/scaled_rows.h"
#include "mpc/functions/reciprocal.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

using mpc::Share;

Tensor settled(Arithmetic& arithmetic, const Share& x) {
  constexpr double kLargestEntry = 1.01;
  return Tensor(in_top_ring(arithmetic, x, kLargestEntry), kLargestEntry, "graph");
}

}  // namespace

Matrix dense_adjacency(const Edges& edges, std::int64_t nodes) {
  Matrix adjacency = Matrix::Zero(nodes, nodes);
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (edges.from[e] != edges.to[e]) adjacency(edges.to[e], edges.from[e]) = 1;
  }
  return adjacency;
}

Tensor normalised(Arithmetic& arithmetic, const Share& adjacency, Normalisation normalisation) {
  mpc::Session& session = arithmetic.session();
  const std::int64_t nodes = adjacency.shape().rows;
  const int f = arithmetic.top().fraction_bits;
  session.begin_part("normalising the graph");
  if (normalisation == Normalisation::kMean) {
    const Share degrees = mpc::refine(mpc::row_sums(adjacency), f);
    const Share inverse = mpc::reciprocal(session, degrees, 48);
    return settled(arithmetic, scaled_rows(session, mpc::narrow(adjacency, 48), session.mask(inverse)));
  }
  constexpr int kRing = 48;
  const Share loops = session.constant(
      {nodes, nodes}, [&] { return Matrix::Identity(nodes, nodes); }, adjacency.format(), "loops");
  const Share joined = adjacency + loops;
  const Share degrees = mpc::refine(mpc::row_sums(joined), f);
  const mpc::Masked roots = session.mask(mpc::inverse_square_root(session, degrees, kRing));
  // Rows, then columns, then turned back.
  const Share by_rows = scaled_rows(session, mpc::narrow(joined, kRing), roots);
  return settled(arithmetic, mpc::transposed(scaled_rows(session, mpc::transposed(by_rows), roots)));
}

}  // namespace tacit::gnn
