// Communities — a graph for classification made from a seed: a stochastic block model with nodes that hold words.
//
// Nodes of a class are linked more often than others, and use some words more often. One node's few words say little
// about its class; the words of all its neighbours together say much. Time and memory grow with edges and words, so a
// million nodes take seconds. The same options give the same graph on every machine.
#pragma once

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

struct CommunitiesOptions {
  std::int64_t nodes = 3000;
  std::int64_t classes = 7;  // equally large, to a node
  std::int64_t features = 1400;
  double average_degree = 4;  // neighbours of a node
  double homophily = 0.8;     // the share of edges inside a class
  std::int64_t words = 18;    // different words of a node; the node's row of x is 1 for each, else 0
  double topic = 0.25;        // the chance that a word is drawn from the class's own words, not from all words
  std::uint64_t seed = 1;
  std::int64_t train_per_class = 20;
  std::int64_t val = 500, test = 1000;  // nodes
};

// x is sparse and unweighted, edges go both ways and ascend by source, then target. ConfigError names the option that
// makes no graph.
GraphData make_communities(const CommunitiesOptions& options);

}  // namespace tacit::gnn
