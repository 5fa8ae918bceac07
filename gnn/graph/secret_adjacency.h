// The adjacency of a private graph and its normalisation, on shares: each owner adds its own edges.
//
// Rounds      once a session: 7; with weights 9, and 8 for means; 0 for sums
// Reveals     nothing; the number of nodes is public, the number of edges only as the files' sizes tell it
// Error       an entry is off by 2^-8 of itself (two roots of 2^-9 each; one reciprocal), by 2^-15 (two roots of 16 fraction
//             bits; 0 for means and with weights) and by a unit; these two for two parties, n/2 times that for more. Entries
//             without an edge are exactly zero
#pragma once

#include "gnn/arithmetic/roots.h"
#include "gnn/data/graph_data.h"
#include "gnn/graph/adjacency.h"

namespace tacit::gnn {

// 1 where an edge leads from the column's node to the row's; edges that are there twice count once, loops not at all.
Matrix dense_adjacency(const Edges& edges, std::int64_t nodes);

// The edges' weights in the same places, without loops.
Matrix dense_weights(const Edges& edges, std::int64_t nodes);

// A private graph: dense_adjacency() in whole numbers, and dense_weights() if edges have weights.
struct SecretEdges {
  Tensor there;
  std::optional<Tensor> weights;
};

// The part of a session's profile in which graphs are normalised.
inline constexpr const char* kNormalisingPart = "normalising the graph";

// A node has at most 2^20 edges (kMostDegree). With weights, their sum must be below 2^12 (kMostWeightOfNode).
Tensor normalised(Arithmetic& arithmetic, const SecretEdges& edges, Normalisation normalisation,
                  std::int64_t at_once = kPairsAtOnce);

}  // namespace tacit::gnn
