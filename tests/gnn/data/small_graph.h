// A graph of distinct made-up numbers, to be split and reassembled.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "bench/data/random_source.h"
#include "gnn/data/ownership.h"

namespace tacit::gnn {

struct GraphKind {
  std::int64_t nodes = 11, features = 7, targets = 6;
  bool sparse = false, classes = false, weighted = false;
};

inline SparseFeatures some_sparse_features(Shape shape, RandomSource& random) {
  SparseFeatures x = {shape, {0}, {}, {}};
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    for (std::int64_t col = 0; col < shape.cols; ++col) {
      if (!random.chance(0.4)) continue;
      x.cols.push_back(col);
      x.values.push_back(1 + random.uniform());
    }
    x.row_begin.push_back(std::ssize(x.cols));
  }
  return x;
}

inline Matrix some_matrix(std::int64_t rows, std::int64_t cols) {
  Matrix all(rows, cols);
  std::iota(all.data(), all.data() + all.size(), 1);
  return all;
}

// Each edge once, with a weight of its own.
inline void give_weights(Edges& edges) {
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  Edges once;
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (known.emplace(edges.from[e], edges.to[e]).second) once.add(edges, e);
  }
  for (std::size_t e = 0; e < once.from.size(); ++e) {
    once.weights.push_back(0.25 + 0.5 * static_cast<double>((once.from[e] + once.to[e]) % 7));
  }
  edges = once;
}

inline GraphData some_graph(const GraphKind& kind) {
  RandomSource random(3);
  GraphData data;
  data.nodes = kind.nodes;
  if (kind.sparse) data.sparse_x = some_sparse_features({kind.nodes, kind.features}, random);
  if (!kind.sparse) data.x = some_matrix(kind.nodes, kind.features);
  if (kind.classes) {
    data.classes.emplace();
    for (std::int64_t node = 0; node < kind.nodes; ++node) data.classes->push_back(random.below(4));
  } else {
    data.targets = -some_matrix(kind.nodes, kind.targets);
  }
  data.edges.emplace();
  for (std::int64_t e = 0; e < 3 * kind.nodes; ++e) {
    data.edges->from.push_back(random.below(kind.nodes));
    data.edges->to.push_back(random.below(kind.nodes));
  }
  if (kind.weighted) give_weights(*data.edges);
  for (auto* mask : {&data.train_mask, &data.val_mask, &data.test_mask}) {
    mask->emplace();
    for (std::int64_t node = 0; node < kind.nodes; ++node) (*mask)->push_back(random.chance(0.5));
  }
  return data;
}

inline Ownership owned(std::string_view features, std::string_view edges, std::string_view labels,
                       std::string_view masks) {
  return {parse_ownership(features, GraphPart::kFeatures), parse_ownership(edges, GraphPart::kEdges),
          parse_ownership(labels, GraphPart::kLabels), parse_ownership(masks, GraphPart::kMasks)};
}

}  // namespace tacit::gnn
