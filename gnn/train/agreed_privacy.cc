#include "gnn/train/agreed_privacy.h"

#include <numeric>

namespace tacit::gnn {

std::vector<std::int64_t> records_of(const DataAgreement& agreement) {
  if (agreement.by_rank.empty()) return {agreement.counts.train};
  std::vector<std::int64_t> records;
  for (const Counts& counts : agreement.by_rank) records.push_back(counts.train);
  return records;
}

TrainingPrivacy privacy_of(const TrainingPlan& training, const DataAgreement& agreement) {
  const std::int64_t parties = std::ssize(agreement.holding.edges);
  if (training.privacy->unit == PrivacyUnit::kEdge) {
    TrainingPrivacy privacy = edge_privacy(training, parties);
    const std::vector<std::int64_t>& edges = agreement.holding.edges;
    privacy.mean_degree = static_cast<double>(std::accumulate(edges.begin(), edges.end(), std::int64_t{0})) /
                          static_cast<double>(agreement.holding.nodes);
    return privacy;
  }
  if (!training.aggregates() && training.privacy->sampling == Sampling::kParties) {
    return record_privacy(training, {agreement.counts.train}, parties);
  }
  return record_privacy(training, records_of(agreement), parties);
}

}  // namespace tacit::gnn
