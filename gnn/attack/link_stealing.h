// Link stealing: two nodes with alike predictions are likelier to have an edge. Neighbours are often alike by themselves, so the
// same is told of a model that never saw an edge: what the graph's model tells beyond it is of the edges
// (He and others, USENIX Security 2021).
#pragma once

#include "gnn/attack/ranking.h"
#include "gnn/attack/rehearsal.h"

namespace tacit::gnn {

struct LinkAttack {
  std::int64_t pairs = 0;  // with an edge; as many without
  Ranking by_model, by_dense, by_features;
};

// Of at most `most` edges and as many pairs without one. `dense`: the same layers without edges, trained in the clear. Throws
// ConfigError for a model without edges, or of pairs.
LinkAttack attack_links(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model, std::int64_t most,
                        std::uint64_t seed);

}  // namespace tacit::gnn
