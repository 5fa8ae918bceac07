#include "gnn/graph/secret_adjacency.h"

#include <array>
#include <vector>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

using mpc::Masked;
using mpc::Share;

constexpr int kRing = 48;  // holds reciprocals and roots
constexpr double kLargestEntry = 1.01;
constexpr int kWholeBits = 10;  // an entry takes one; the range watch compares the others

// An edge's entry is the product of its row's number and its column's. All other entries are exactly zero: the products
// are rounded first and multiplied by the adjacency's zeros and ones afterwards, because rounding a share of zero adds
// noise. Each entry is rounded on its own, so that the errors of a row do not add up.
Tensor of_edges(Arithmetic& arithmetic, const Share& adjacency, const Masked& rows, const Masked& columns) {
  mpc::Session& session = arithmetic.session();
  const int f = arithmetic.top().fraction_bits;
  const Share exact = mpc::matmul(session, rows, columns);
  const Share of_pair = mpc::drop(session, exact, exact.fraction_bits() - f);
  const int ring = f + kWholeBits;
  const std::vector<Masked> factors =
      mpc::mask(session, std::array{mpc::narrow(adjacency, ring), mpc::narrow(of_pair, ring)});
  const Tensor entries(mpc::product(session, factors[0], factors[1]), kLargestEntry, "graph");
  return arithmetic.lifted(arithmetic.narrowed(entries));
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
    const Share ones = mpc::constant(session, Matrix::Ones(1, nodes), {kRing, 0}, "ones");
    const std::vector<Masked> factors = mpc::mask(session, std::array{mpc::reciprocal(session, degrees, kRing), ones});
    return of_edges(arithmetic, adjacency, factors[0], factors[1]);
  }
  const Share loops = mpc::constant(
      session, {nodes, nodes}, [&] { return Matrix::Identity(nodes, nodes); }, adjacency.format(), "loops");
  const Share joined = adjacency + loops;
  const Share degrees = mpc::refine(mpc::row_sums(joined), f);
  const Masked roots = mpc::mask(session, mpc::inverse_square_root(session, degrees, kRing));
  return of_edges(arithmetic, joined, roots, roots.transposed());
}

}  // namespace tacit::gnn
