// Propagation along a private graph: the normalised adjacencies that a model needs, on shares, where each owner adds its own
// edges; or as sparse matrices: the normalised one, which the owner of all edges alone knows, or the own edges of each of several owners.
#pragma once

#include <map>

#include "gnn/graph/graph_view.h"
#include "gnn/model/factor_rings.h"
#include "gnn/settings/model_spec.h"
#include "gnn/train/shared_columns.h"

namespace tacit::gnn {

inline EdgesAre edges_of(const DataPlan& data) {
  if (!data.private_graph()) return data.edge_weights ? EdgesAre::kPublicWithWeights : EdgesAre::kPublic;
  if (data.sparse_graph() && data.ownership.edges.kind == PartOwnership::Kind::kWhole)
    return data.edge_weights ? EdgesAre::kPublicWithWeights : EdgesAre::kPublic;  // the same products
  return data.edge_weights ? EdgesAre::kSecretWithWeights : EdgesAre::kSecret;
}

// The part of a session's profile in which the edges of a private graph are shared.
inline constexpr const char* kSharingEdgesPart = "sharing the edges";

// A propagator of all nodes for each weighting that the model needs.
GraphView::Propagators shared_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                          const Holding& holding);

// A view that predicts these rows (with snapshots, all rows of some nodes).
GraphView private_view(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data, const Holding& holding,
                       const Rows& targets, Graphs graphs);

// The matrices themselves, of a graph that is held densely.
std::map<Normalisation, Tensor> shared_adjacencies(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                                   const Holding& holding);

}  // namespace tacit::gnn
