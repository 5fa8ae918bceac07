// Propagation along edges that several ranks hold as sparse matrices of their own equals the product by the normalised
// adjacency of all edges together, forwards and backwards.
#include "gnn/graph/owners_propagator.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "gnn/arithmetic/sharing.h"
#include "gnn/data/part_check.h"
#include "gnn/train/shared_edges.h"
#include "mpc/protocols/lift.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr mpc::Format kOwnersTop{64, 13};

// The parts of the ranks. With weights, several ranks may hold an edge, and its weights add up.
struct OwnedGraph {
  std::int64_t nodes = 0, snapshots = 1;
  bool weighted = false;
  std::vector<Edges> by_rank;

  Edges all() const {
    std::map<std::pair<std::int64_t, std::int64_t>, double> sums;
    for (const Edges& edges : by_rank) {
      for (std::size_t e = 0; e < edges.from.size(); ++e) {
        double& sum = sums[{edges.from[e], edges.to[e]}];
        sum = weighted ? sum + edges.weights[e] : 1;
      }
    }
    Edges joined;
    for (const auto& [ends, weight] : sums) {
      joined.from.push_back(ends.first);
      joined.to.push_back(ends.second);
      if (weighted) joined.weights.push_back(weight);
    }
    return joined;
  }
};

// A hub, a path, and nodes without an edge; loops, and edges that a rank has twice. The last rank has no edge.
OwnedGraph ugly_graph(std::int64_t nodes, int ranks, bool weighted, std::int64_t snapshots = 1) {
  OwnedGraph graph{nodes, snapshots, weighted, std::vector<Edges>(static_cast<std::size_t>(std::max(ranks, 1)))};
  const std::size_t holders = std::max<std::size_t>(graph.by_rank.size() - 1, 1);
  std::map<std::pair<std::int64_t, std::int64_t>, bool> added;
  const auto add = [&](std::int64_t from, std::int64_t to, std::size_t holder) {
    Edges& edges = graph.by_rank[holder % holders];
    edges.from.push_back(from);
    edges.to.push_back(to);
    if (weighted)
      edges.weights.push_back((from + 2 * to) % 7 == 5 ? kLeastWeight
                                                       : std::ldexp(static_cast<double>(1 + (from + to) % 5), -3));
  };
  for (std::int64_t i = 1; i < nodes - 2; ++i) {
    add(i, 0, static_cast<std::size_t>(i));
    add(0, i, 0);
    if (weighted) add(i, 0, static_cast<std::size_t>(i + 1));  // at another rank, or twice at the only holder
    if (i > 1) add(i - 1, i, static_cast<std::size_t>(i - 1));
  }
  if (weighted && holders == 1) {  // a rank's file has a weighted edge once
    Edges& edges = graph.by_rank.front();
    Edges once;
    for (std::size_t e = 0; e < edges.from.size(); ++e) {
      if (!added.emplace(std::pair(edges.from[e], edges.to[e]), true).second) continue;
      once.from.push_back(edges.from[e]);
      once.to.push_back(edges.to[e]);
      once.weights.push_back(edges.weights[e]);
    }
    edges = once;
  }
  if (!weighted && nodes > 2) {
    add(2, 2, 2);
    add(1, 0, 1);
  }
  return graph;
}

struct Wanted {
  LayerSpec layer;
  bool back = false;
  double bound = 1023;
  Precision precision = Precision::kValue;
  mpc::Format top = kOwnersTop;
};

mpc::Share propagated(mpc::Session& session, const OwnedGraph& graph, const Wanted& wanted, const Matrix& x) {
  DataPlan data;
  data.ownership.edges = parse_ownership(graph.weighted ? "any" : "edges", GraphPart::kEdges);
  data.adjacency = AdjacencyForm::kSparse;
  data.edge_weights = graph.weighted;
  TrainingPlan training;
  training.top = wanted.top;
  std::vector<GraphData> parts;
  Holding holding;
  holding.nodes = graph.nodes * graph.snapshots;
  holding.snapshots = graph.snapshots;
  for (const Edges& edges : graph.by_rank) {
    parts.emplace_back().edges = edges;
    holding.edges.push_back(edges.size());
  }
  const PartOf part_of = [&](int rank) {
    const bool known = session.computes() && rank < static_cast<int>(parts.size());
    return known ? &parts[static_cast<std::size_t>(rank)] : nullptr;
  };
  SharedColumns sharing(session, data, training, holding, part_of);
  const ModelSpec model{{wanted.layer}};
  const auto propagators = shared_propagators(sharing, model, data, holding);
  Propagator& propagator = *propagators.at(weighting_of(wanted.layer));
  Arithmetic& arithmetic = sharing.arithmetic();
  const Tensor shared = share_input(arithmetic, 0, mpc::shape_of(x), &x, wanted.precision, 8, "x");
  return (wanted.back ? propagator.backward(arithmetic, shared, wanted.bound, "y")
                      : propagator.forward(arithmetic, shared, wanted.bound, "y"))
      .share();
}

Matrix numbers_within(std::int64_t rows, std::int64_t cols) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> uniform(-8 << 10, 8 << 10);
  return Matrix::Zero(rows, cols).unaryExpr([&](double) { return std::ldexp(uniform(random), -10); });
}

// The header states the error: an error of both numbers, and roundings of each term of a node.
void expect_near(const OwnedGraph& graph, const Wanted& wanted, int parties, const Matrix& x) {
  const Weighting weighting = weighting_of(wanted.layer);
  Adjacency adjacency = normalised(graph.all(), graph.nodes, weighting.normalisation);
  for (double& value : adjacency.values) value *= weighting.factor;
  if (weighting.loop != 1) adjacency = with_loops(adjacency, weighting.loop);
  Adjacency sizes = adjacency;
  for (double& value : sizes.values) value = std::abs(value);
  const auto times = [&](const Adjacency& a, const Matrix& v) {
    return wanted.back ? a.transposed_times(v) : a.times(v);
  };
  const mpc::Function program = [&](mpc::Session& session) { return propagated(session, graph, wanted, x); };
  const Matrix found = parties == 0 ? mpc::revealed_in_the_clear(program) : mpc::revealed_by_parties(parties, program);
  ASSERT_EQ(found.rows(), x.rows());
  const double units = std::max(1.0, parties / 2.0);
  const bool exact = weighting.normalisation == Normalisation::kSum && !graph.weighted && weighting.loop == 1;
  for (std::int64_t t = 0; t < graph.snapshots; ++t) {
    Matrix state(graph.nodes, x.cols());
    for (std::int64_t node = 0; node < graph.nodes; ++node) state.row(node) = x.row(node * graph.snapshots + t);
    const Matrix expected = times(adjacency, state), size = times(sizes, state.cwiseAbs()),
                 terms = times(sizes, Matrix::Ones(graph.nodes, x.cols()));
    for (std::int64_t node = 0; node < graph.nodes; ++node) {
      for (Eigen::Index c = 0; c < x.cols(); ++c) {
        const double off =
            exact ? 0
                  : std::ldexp(size(node, c), -8) +
                        units * std::ldexp(2 + std::sqrt(static_cast<double>(graph.nodes)) + terms(node, c),
                                           -1 - wanted.top.fraction_bits);
        EXPECT_NEAR(found(node * graph.snapshots + t, c), expected(node, c), off)
            << graph.nodes << " nodes, " << parties << " parties, node " << node << (wanted.back ? ", back" : "");
      }
    }
  }
}

LayerSpec layer_of(LayerSpec::Kind kind) { return {.kind = kind, .outputs = 2}; }

std::vector<LayerSpec> all_layers() {
  using Kind = LayerSpec::Kind;
  std::vector<LayerSpec> layers{layer_of(Kind::kGraphConvolution), layer_of(Kind::kMeanAggregation),
                                layer_of(Kind::kSumAggregation), layer_of(Kind::kSumAggregation),
                                layer_of(Kind::kPropagation)};
  layers[3].epsilon = 0.25;
  layers[4].steps = 2;
  layers[4].restart = 0.2;
  return layers;
}

TEST(OwnersPropagators, EqualTheProductByTheAdjacencyOfAllEdges) {
  for (const LayerSpec& layer : all_layers()) {
    for (const bool weighted : {false, true}) {
      for (const int parties : {0, 1, 2, 3, 5}) {
        for (const std::int64_t nodes : {1, 3, 40}) {
          const OwnedGraph graph = ugly_graph(nodes, parties, weighted);
          for (const bool back : {false, true}) {
            expect_near(graph, {layer, back}, parties, numbers_within(nodes, 2));
          }
        }
      }
    }
  }
}

// With the widest default range. Sums over weighted edges need more bits than these rings have.
TEST(OwnersPropagators, HaveRoomForWeightsInNarrowRings) {
  for (const LayerSpec& layer : all_layers()) {
    for (const mpc::Format top : {mpc::Format{48, 13}, mpc::Format{48, 16}, mpc::Format{56, 13}}) {
      for (const int parties : {0, 2, 3}) {
        for (const bool back : {false, true}) {
          const Wanted wanted{.layer = layer, .back = back, .top = top};
          expect_near(ugly_graph(12, parties, true), wanted, parties, numbers_within(12, 2));
        }
      }
    }
  }
}

TEST(OwnersPropagators, PropagateEverySnapshotAlongTheSameEdges) {
  for (const LayerSpec& layer : all_layers()) {
    for (const bool back : {false, true}) {
      expect_near(ugly_graph(12, 3, false, 3), {layer, back}, 3, numbers_within(36, 2));
    }
  }
}

TEST(OwnersPropagators, GatherWholeRowsWithoutLosingFractions) {
  const Matrix x = numbers_within(20, 2).array().round();
  for (const LayerSpec& layer : all_layers()) {
    if (layer.epsilon != 0) continue;  // such a job's features have fraction bits
    for (const bool weighted : {false, true}) {
      expect_near(ugly_graph(20, 3, weighted), {layer, false, 1023, Precision::kWhole}, 3, x);
    }
  }
}

// A node with thousands of edges, for which 12 bits have no room.
TEST(OwnersPropagators, KnowNodesWithThousandsOfNeighbours) {
  constexpr std::int64_t kNodes = 6000;
  for (const LayerSpec::Kind kind : {LayerSpec::Kind::kGraphConvolution, LayerSpec::Kind::kMeanAggregation}) {
    for (const bool back : {false, true}) {
      expect_near(ugly_graph(kNodes, 2, false), {layer_of(kind), back}, 2, numbers_within(kNodes, 1));
    }
  }
}

TEST(OwnersPropagators, GatherNothingButTheNodeItselfWhereNobodyHasAnEdge) {
  for (const LayerSpec& layer : all_layers()) {
    const OwnedGraph graph{5, 1, false, std::vector<Edges>(2)};
    for (const bool back : {false, true}) expect_near(graph, {layer, back}, 2, numbers_within(5, 3));
  }
}

// Exact to 2^-14, and to half a unit, which is 2^-10 of the number at the largest degree.
TEST(NumbersOfNodes, AreInverseDegreesAndRootsUpToAMillion) {
  Matrix degrees(1, 9);
  degrees << 1, 2, 3, 5, 100, 4095, 4097, 100000, 1 << 20;
  Matrix inverse(9, 1), roots(9, 1);
  for (Eigen::Index i = 0; i < 9; ++i) {
    inverse(i, 0) = 1 / degrees(0, i);
    roots(i, 0) = 1 / std::sqrt(degrees(0, i));
  }
  const Matrix column = degrees.transpose();
  for (const int parties : {0, 2, 3}) {
    for (const bool root : {false, true}) {
      const mpc::Function program = [&](mpc::Session& session) {
        Arithmetic arithmetic(session, kOwnersTop);
        const Degrees of{share_input(arithmetic, 0, {9, 1}, &column, Precision::kRawWhole, kMostDegree, "degrees"),
                         static_cast<double>(kMostDegree)};
        const NodeNumbers made = root ? inverse_roots(arithmetic, of, 1).plain : inverse_degrees(arithmetic, of);
        return mpc::lift(session, made.shown, mpc::kWordBits);
      };
      const Matrix found =
          parties == 0 ? mpc::revealed_in_the_clear(program) : mpc::revealed_by_parties(parties, program);
      const Matrix& expected = root ? roots : inverse;
      for (Eigen::Index i = 0; i < 9; ++i) {
        EXPECT_NEAR(found(i, 0), expected(i, 0),
                    std::ldexp(expected(i, 0), -14) + std::ldexp(expected(8, 0), -9) * std::max(1.0, parties / 2.0))
            << degrees(0, i) << (root ? ", root" : "");
      }
    }
  }
}

}  // namespace
}  // namespace tacit::gnn
