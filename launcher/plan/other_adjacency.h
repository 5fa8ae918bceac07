// other_adjacency — the cost of a job whose private graph were held in the other form (data.adjacency).
#pragma once

#include <optional>
#include <string_view>

#include "launcher/plan/planned_data.h"

namespace tacit::launcher {

struct OtherAdjacency {
  std::string_view form;    // the word for data.adjacency
  std::int64_t party = 0;   // bytes of the whole training, of the party that sends most
  std::int64_t dealer = 0;  // bytes of the whole training
  std::int64_t memory = 0;  // a party's, in bytes
};

// True if the job may say data.adjacency = "sparse": the edges are private, and an edge of several ranks has weights that add up.
bool may_be_sparse(const gnn::DataPlan& data);

// Empty if the job has no choice, if the number of edges is not known, or if the other form does not send a fifth less than the
// job: `bytes` is the sum of the busiest party's and the dealer's.
std::optional<OtherAdjacency> other_adjacency(const Job& job, const PlannedData& data, std::int64_t bytes);

}  // namespace tacit::launcher
