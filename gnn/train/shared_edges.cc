#include "gnn/train/shared_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "gnn/arithmetic/either.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/data/part_check.h"
#include "gnn/graph/own_propagator.h"
#include "gnn/graph/owners_propagator.h"
#include "gnn/graph/secret_adjacency.h"
#include "mpc/random/permutation.h"

namespace tacit::gnn {

namespace {

// The sum over the owners of edges.
Tensor added(Arithmetic& arithmetic, const Tensors& all, double bound) {
  Tensor sum = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) sum = arithmetic.sum(sum, all[i], bound);
  return sum;
}

SecretEdges shared_edges(SharedColumns& sharing, const DataPlan& data, const Holding& holding) {
  const std::int64_t nodes = holding.graph_nodes();
  Arithmetic& arithmetic = sharing.arithmetic();
  arithmetic.session().begin_part(kSharingEdgesPart);
  Tensors there, weights;
  for (int rank = 0; rank < static_cast<int>(holding.edges.size()); ++rank) {
    if (holding.edges[static_cast<std::size_t>(rank)] == 0) continue;
    const Shape shape{nodes, nodes};
    const auto own = [&](const GraphData& part) { return dense_adjacency(*part.edges, nodes); };
    there.push_back(sharing.input_of(rank, shape, Precision::kWhole, 1, own, "edges"));
    if (!data.edge_weights) continue;
    const auto own_weights = [&](const GraphData& part) { return dense_weights(*part.edges, nodes); };
    weights.push_back(sharing.input_of(rank, shape, Precision::kWeight, kMostWeight, own_weights, "weights of edges"));
  }
  if (there.empty()) {
    const Tensor none = share_known(
        arithmetic, {nodes, nodes}, [&] { return Matrix::Zero(nodes, nodes); }, Precision::kWhole, 1, "no edges");
    return {none, {}};
  }
  const bool anywhere = data.ownership.edges.kind == PartOwnership::Kind::kAnywhere;
  SecretEdges edges{anywhere ? either(arithmetic, there, "edges") : added(arithmetic, there, 1), {}};
  if (data.edge_weights) edges.weights = added(arithmetic, weights, kMostWeightOfNode);
  return edges;
}

void expect_few_rows(std::int64_t nodes, std::int64_t edges) {
  if (nodes + edges < mpc::kMostPermuted) return;
  throw ConfigError(fmt::format(
      "a sparse graph has at most 2^31 - 2 nodes and edges together, and this one has {}; take fewer", nodes + edges));
}

GraphView::Propagators own_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                       const Holding& holding) {
  Arithmetic& arithmetic = sharing.arithmetic();
  const int owner = data.ownership.edges.rank;
  const std::int64_t nodes = holding.graph_nodes(), edges = holding.edges[static_cast<std::size_t>(owner)];
  expect_few_rows(nodes, edges);
  const GraphData* part = sharing.part_of(owner);
  Adjacencies known;
  if (part != nullptr) known = adjacencies_of(model, *part->edges, nodes, part->graphs);
  const auto shared = [&](const mpc::SparseMatrix* mine, int fraction_bits) {
    return mpc::own_matrix(arithmetic.session(), owner, {nodes, nodes}, edges, fraction_bits, mine);
  };
  GraphView::Propagators propagators;
  for (const LayerSpec& layer : model.layers) {
    const Weighting weighting = weighting_of(layer);
    if (!layer.gathers_over_edges() || propagators.contains(weighting)) continue;
    const bool whole = gathers_whole_numbers(layer, data.edge_weights);
    const int fraction_bits = whole ? 0 : arithmetic.top().fraction_bits;
    std::optional<mpc::SparseMatrix> forward, backward;
    if (part != nullptr) {
      forward = known.at(weighting).encoded(arithmetic, whole);
      backward = forward->transposed();
    }
    const mpc::OwnMatrix of_forward = shared(forward ? &*forward : nullptr, fraction_bits);
    propagators[weighting] = std::make_shared<OwnPropagator>(
        of_forward, shared(backward ? &*backward : nullptr, fraction_bits), holding.snapshots);
  }
  return propagators;
}

// The matrix of the rank's edges with their weights, without loops. An edge that the rank has twice is there once.
mpc::SparseMatrix edges_alone(const Edges& edges, std::int64_t nodes, int fraction_bits) {
  const Adjacency alone = with_loops(normalised(edges, nodes, Normalisation::kSum), 0);
  mpc::SparseMatrix m{alone.shape, alone.row_begin, alone.cols, {}, fraction_bits};
  for (const double weight : alone.values) {
    m.values.push_back(static_cast<std::uint64_t>(std::llround(std::ldexp(weight, fraction_bits))));
  }
  return m;
}

Matrix sums_of_rows(const mpc::SparseMatrix& m) {
  Matrix sums = Matrix::Zero(m.shape.rows, 1);
  for (std::int64_t r = 0; r < m.shape.rows; ++r) {
    for (std::int64_t e = m.row_begin[static_cast<std::size_t>(r)]; e < m.row_begin[static_cast<std::size_t>(r) + 1];
         ++e) {
      sums(r, 0) += std::ldexp(static_cast<double>(m.values[static_cast<std::size_t>(e)]), -m.fraction_bits);
    }
  }
  return sums;
}

// The edges of each rank that holds some, as its own sparse matrix; and the nodes' degrees, on shares.
class EdgesOfOwners {
 public:
  EdgesOfOwners(SharedColumns& sharing, const DataPlan& data, const Holding& holding)
      : arithmetic_(sharing.arithmetic()), nodes_(holding.graph_nodes()), precision_(precision_of(data)) {
    mpc::Session& session = arithmetic_.session();
    const int fraction_bits = arithmetic_.format_of(precision_).fraction_bits;
    for (int rank = 0; rank < static_cast<int>(holding.edges.size()); ++rank) {
      const std::int64_t edges = holding.edges[static_cast<std::size_t>(rank)];
      if (edges == 0) continue;
      expect_few_rows(nodes_, edges);
      all_ += edges;
      const GraphData* part = sharing.part_of(rank);
      std::optional<mpc::SparseMatrix> forward, backward;
      std::optional<Matrix> degrees;
      if (part != nullptr) {
        forward = edges_alone(*part->edges, nodes_, fraction_bits);
        backward = forward->transposed();
        degrees = sums_of_rows(*forward);
      }
      const auto shared = [&](const std::optional<mpc::SparseMatrix>& mine) {
        return mpc::own_matrix(session, rank, {nodes_, nodes_}, edges, fraction_bits, mine ? &*mine : nullptr);
      };
      edges_->forward.push_back(shared(forward));
      edges_->backward.push_back(shared(backward));
      const Tensor own = share_input(arithmetic_, rank, {nodes_, 1}, degrees ? &*degrees : nullptr, precision_,
                                     largest_degree(), "degrees");
      degrees_ = degrees_ ? arithmetic_.sum(*degrees_, own, largest_degree()) : own;
    }
  }

  std::shared_ptr<const OwnersEdges> edges() const { return edges_; }

  OwnersPropagator::Numbers numbers(const Weighting& weighting) const {
    const double largest = largest_degree();
    const auto known = [&](double value) {
      return share_known(
          arithmetic_, {nodes_, 1}, [&] { return Matrix::Constant(nodes_, 1, value); }, precision_, 1, "loops");
    };
    if (weighting.normalisation == Normalisation::kMean) {
      return {{}, inverse_degrees(arithmetic_, {degrees_ ? *degrees_ : known(0), largest})};
    }
    if (weighting.normalisation == Normalisation::kSum) return {};
    const Tensor loops = known(1), degrees = degrees_ ? arithmetic_.sum(*degrees_, loops, largest) : loops;
    const InverseRoots roots = inverse_roots(arithmetic_, {degrees, largest}, weighting.factor);
    return {roots.plain, roots.scaled};
  }

 private:
  static Precision precision_of(const DataPlan& data) {
    return data.edge_weights ? Precision::kWeight : Precision::kRawWhole;
  }
  // The largest that a degree can be, with a loop.
  double largest_degree() const {
    if (precision_ == Precision::kWeight) return kMostWeightOfNode + 1;
    return static_cast<double>(std::min({nodes_, all_ + 1, kMostDegree}));
  }

  Arithmetic& arithmetic_;
  std::int64_t nodes_;
  Precision precision_;
  std::int64_t all_ = 0;
  std::shared_ptr<OwnersEdges> edges_ = std::make_shared<OwnersEdges>();
  std::optional<Tensor> degrees_;
};

GraphView::Propagators owners_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                          const Holding& holding) {
  GraphView::Propagators propagators;
  std::optional<EdgesOfOwners> edges;
  for (const LayerSpec& layer : model.layers) {
    const Weighting weighting = weighting_of(layer);
    if (!layer.gathers_over_edges() || propagators.contains(weighting)) continue;
    if (!edges) edges.emplace(sharing, data, holding);
    const double loop = weighting.normalisation == Normalisation::kMean ? 0 : weighting.loop;
    propagators[weighting] =
        std::make_shared<OwnersPropagator>(edges->edges(), edges->numbers(weighting), loop, holding.snapshots);
  }
  return propagators;
}

GraphView::Propagators sparse_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                          const Holding& holding) {
  return data.ownership.edges.kind == PartOwnership::Kind::kWhole ? own_propagators(sharing, model, data, holding)
                                                                  : owners_propagators(sharing, model, data, holding);
}

}  // namespace

GraphView::Propagators shared_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                          const Holding& holding) {
  return data.sparse_graph()
             ? sparse_propagators(sharing, model, data, holding)
             : GraphView::propagators_of(model, shared_adjacencies(sharing, model, data, holding), holding.snapshots);
}

GraphView private_view(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data, const Holding& holding,
                       const Rows& targets, Graphs graphs) {
  Arithmetic& arithmetic = sharing.arithmetic();
  return data.sparse_graph()
             ? GraphView::of_private_rows(arithmetic, model, sparse_propagators(sharing, model, data, holding),
                                          holding.nodes, targets, graphs)
             : GraphView::of_private(arithmetic, model, shared_adjacencies(sharing, model, data, holding),
                                     holding.nodes, targets, graphs, holding.snapshots);
}

std::map<Normalisation, Tensor> shared_adjacencies(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                                   const Holding& holding) {
  std::map<Normalisation, Tensor> all;
  const auto gathers = [](const LayerSpec& layer) { return layer.gathers_over_edges(); };
  if (std::none_of(model.layers.begin(), model.layers.end(), gathers)) return all;
  const SecretEdges edges = shared_edges(sharing, data, holding);
  for (const LayerSpec& layer : model.layers) {
    const Normalisation kind = weighting_of(layer).normalisation;
    if (layer.gathers_over_edges() && !all.contains(kind))
      all.emplace(kind, normalised(sharing.arithmetic(), edges, kind));
  }
  sharing.begin_sharing();
  return all;
}

}  // namespace tacit::gnn
