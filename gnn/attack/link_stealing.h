// Link stealing: two nodes with similar predictions are likelier to have an edge (He and others, USENIX Security 2021).
// Neighbours are often similar by themselves, so the attack also runs on a model that never saw an edge. Only the difference
// between the two models comes from the edges.
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
