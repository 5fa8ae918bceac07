// check_part — validates a party's file against the job.
#pragma once

#include <string_view>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// Throws ConfigError unless the data is well formed (check()) and holds exactly the parts that the
// job assigns to this rank. The message begins with `where`, a file's name, and states the
// difference and a remedy. The check does not know the other ranks' files; agreed_holding() compares
// them. A part that the job calls "none" is not checked.
enum class OwnNodes { kAsTheJobSays, kAnyNumber };  // how many nodes an owner of rows has
void check_part(const GraphData& data, const Ownership& ownership, int rank, int parties, std::string_view where,
                OwnNodes own_nodes = OwnNodes::kAsTheJobSays);

// Throws ConfigError unless the edges have weights, or have none, as the job says, and unless weights lie in their limits and
// no edge with a weight is there twice. The second function limits the sum of the weights that lead to a node of a private
// graph, if `holders` ranks may hold edges.
void check_edge_weights(const GraphData& data, bool weighted, std::string_view where);
void check_sums_of_weights(const GraphData& data, const PartOwnership& edges, int holders, std::string_view where);

// The most neighbours of a node, itself among them, in a graph without weights of which each rank holds the edges of its own nodes.
// Throws ConfigError if one of `holders` ranks has more than an equal part of them in a graph with more nodes.
inline constexpr std::int64_t kMostDegree = std::int64_t{1} << 20;
void check_numbers_of_edges(const GraphData& data, const PartOwnership& edges, int holders, std::string_view where);

// Throws ConfigError if a feature is missing and the job does not fill it.
void check_missing_features(const GraphData& data, bool filled, std::string_view where);

// Throws ConfigError unless every feature is a whole number and at most `most`, for a job that says so.
void check_whole_features(const GraphData& data, double most, std::string_view where);

// Throws ConfigError if a node or record is in the training mask and in another one. A private training refuses it: the metrics
// of the other mask are revealed exactly.
void check_masks_apart(const GraphData& data, std::string_view where);

// Throws ConfigError unless every class is below `classes`, the number in the job.
void check_classes(const GraphData& data, std::int64_t classes, std::string_view where);

}  // namespace tacit::gnn
