// shared_adjacencies — the normalised adjacencies of a private graph that a model needs, on shares.
// Each owner adds its own edges.
#pragma once

#include <map>

#include "gnn/graph/graph_view.h"
#include "gnn/model/factor_rings.h"
#include "gnn/settings/model_spec.h"
#include "gnn/train/shared_columns.h"

namespace tacit::gnn {

inline EdgesAre edges_of(const DataPlan& data) {
  if (!data.private_graph()) return data.edge_weights ? EdgesAre::kPublicWithWeights : EdgesAre::kPublic;
  return data.edge_weights ? EdgesAre::kSecretWithWeights : EdgesAre::kSecret;
}

// The part of a session's profile in which the edges of a private graph are shared.
inline constexpr const char* kSharingEdgesPart = "sharing the edges";

std::map<Normalisation, Tensor> shared_adjacencies(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                                   const Holding& holding);

}  // namespace tacit::gnn
