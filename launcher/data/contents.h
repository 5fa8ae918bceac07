// A summary of a graph, or of a part of one, in one line.
#pragma once

#include <string>

#include "gnn/data/holding.h"
#include "launcher/json.h"

namespace tacit::launcher {

std::string contents(const gnn::GraphData& data);  // "300 nodes, 8 features, 1 target, 2142 edges, masks 180/60/60"
Json contents_json(const gnn::GraphData& data);

std::string several(std::int64_t number, std::string_view one);  // "1 node", "2 nodes"
// "300 nodes in 24 snapshots", from the number of rows, 7200 (gnn/data/snapshots.h).
std::string nodes_in_snapshots(std::int64_t rows, std::int64_t snapshots);
std::string subjects_text(const gnn::Holding& holding);        // "300 nodes", "12 graphs", "300 nodes in 24 snapshots"
std::int64_t count(const std::optional<gnn::NodeMask>& mask);  // number of nodes in the mask

}  // namespace tacit::launcher
