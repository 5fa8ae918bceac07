// Announcing — the steps of an agreement on data that training and prediction share: the sizes of
// all parts, and a comparison of public data.
#pragma once

#include <vector>

#include "gnn/data/holding.h"
#include "net/mesh.h"

namespace tacit::gnn {

// The announcements of all parties, in order. `own` is null at the dealer. One round among all ranks.
std::vector<Announcement> told_announcements(net::Mesh& mesh, const GraphData* own);

// Throws the same ConfigError at every rank if the public data of two parties differ. The dealer receives the outcome
// alone: with a digest, it could check guesses of the graph.
void compare_what_is_public(net::Mesh& mesh, const Ownership& ownership, const GraphData* own);

// Throws ProtocolError unless 0 <= number <= the nodes of the graph; the graphs, if these have the labels.
void expect_number_of_nodes(std::int64_t number, const Holding& holding, int rank);
void expect_number_of_subjects(std::int64_t number, const Holding& holding, int rank);
// The same for the links of a part.
void expect_number_of_links(std::int64_t number, int rank);
// Throws ConfigError if links and drawn pairs are more than kMostPairs together.
void expect_number_of_pairs(std::int64_t number);

// Throws ConfigError unless the data name pairs of nodes to predict.
void expect_pairs(const Holding& holding);

}  // namespace tacit::gnn
