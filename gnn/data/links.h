// The links of a graph: a model learns to tell pairs of nodes with an edge from pairs without one. Only the links of training
// pass messages along their edges; the links of validation and test are kept apart.
//
// Links have no direction: a link is an edge from a smaller number to a larger one, together with the edge back. A public seed
// and the two numbers determine the part of a link. Therefore the holders of the two edges put it into the same part. Or the
// files state the part of each edge (Edges::parts); then the holders of the two edges must agree on it, and no rank checks it.
#pragma once

#include <string_view>

#include "gnn/data/graph_data.h"
#include "gnn/data/ownership.h"

namespace tacit::gnn {

struct LinkPlan {
  double validation = 0.1, test = 0.2;  // parts of all links
  std::int64_t drawn = 1;               // pairs without a link that are drawn for each link
  std::uint64_t seed = 1;
  bool from_files = false;  // the files state the parts; the seed draws pairs alone
};

// The links at this party, in the order of its edges.
LinkParts links_of(const GraphData& data, const LinkPlan& plan);

// The same data with these links, and without the edges that pass no messages. Loops stay. Data that have their links already
// are returned unchanged.
GraphData with_links_apart(GraphData data, const LinkPlan& plan);

// Throws ConfigError if an edge leads from a larger number to a smaller one, and the file has no edge back although the job
// gives it to this file, since such an edge makes no link; or if the plan takes parts from the files, and the
// file states none, or other ones for an edge and the edge back. `edges`: the ownership of the edges. `where` names the file.
void check_links(const GraphData& data, const LinkPlan& plan, const PartOwnership& edges, std::string_view where);

// Draws `train`, `validation` and `test` pairs of nodes by the seed, from the smaller number to the larger. No pair is drawn
// twice, and no pair of `links` is drawn. `links` has all links of a public graph. For a private graph it is empty, since no
// party knows all links. Throws ConfigError if the nodes make too few pairs.
LinkParts drawn_pairs(const LinkPlan& plan, std::int64_t nodes, const LinkParts& links, std::int64_t train,
                      std::int64_t validation, std::int64_t test);

// Throws ConfigError unless the nodes make `wanted` pairs, links and drawn pairs together.
void expect_pairs_to_draw(std::int64_t wanted, std::int64_t nodes);

}  // namespace tacit::gnn
