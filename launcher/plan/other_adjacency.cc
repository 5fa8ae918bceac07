#include "launcher/plan/other_adjacency.h"

#include <algorithm>

#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "launcher/plan/memory_need.h"
#include "net/error.h"

namespace tacit::launcher {

bool may_be_sparse(const gnn::DataPlan& data) {
  return data.private_graph() &&
         (data.ownership.edges.kind != gnn::PartOwnership::Kind::kAnywhere || data.edge_weights);
}

std::optional<OtherAdjacency> other_adjacency(const Job& job, const PlannedData& data, std::int64_t bytes) {
  constexpr std::int64_t kSteps = 10, kMostDenseNodes = 1 << 20;
  gnn::Plans plans = job;
  const bool sparse = plans.data.sparse_graph();
  if (!may_be_sparse(plans.data) || !data.edges_known || plans.training.model.perturbed ||
      data.agreement.holding.graph_nodes() > kMostDenseNodes) {
    return {};
  }
  plans.data.adjacency = sparse ? gnn::AdjacencyForm::kDense : gnn::AdjacencyForm::kSparse;
  const int parties = static_cast<int>(job.parties);
  const auto openings = gnn::plan_of(job.training.openings, parties).value_or(net::AllReducePlan::unmeasured(parties));
  OtherAdjacency other{sparse ? "dense" : "sparse"};
  // With one owner of all edges, two parties send alike. With several, a rank with few edges sends most.
  const bool one_owner = plans.data.ownership.edges.kind == gnn::PartOwnership::Kind::kWhole;
  try {
    for (int rank = 0; rank < (one_owner ? std::min(parties, 2) : parties); ++rank) {
      const gnn::PlannedRun run =
          gnn::planned_run(plans.data, plans.training, data.agreement, {parties, rank, openings, kSteps});
      other.party = std::max(other.party, run.total.cost.bytes);
      other.dealer = run.total.cost.dealt_bytes;
      other.memory = std::max(other.memory, memory_need(run, parties, job.helpers() > 0).party);
    }
  } catch (const ConfigError&) {
    return {};  // the job's ring has no room for the other form
  }
  return 5 * (other.party + other.dealer) < 4 * bytes ? std::optional(other) : std::nullopt;
}

}  // namespace tacit::launcher
