#include "gnn/train/public_views.h"

#include "gnn/train/batches.h"

namespace tacit::gnn {

PublicViews public_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Rows& train) {
  const Adjacencies adjacencies = adjacencies_of(plan.model, edges, nodes);
  PublicViews views;
  for (const Rows& batch : batches_of(std::ssize(train), plan.batch, plan.seed)) {
    views.batches.push_back(layered(plan.model, adjacencies, rows_at(train, batch)));
  }
  views.whole = layered(plan.model, adjacencies, all_rows(nodes));
  return views;
}

PublicViews whole_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes) {
  return {{}, layered(plan.model, adjacencies_of(plan.model, edges, nodes), all_rows(nodes))};
}

}  // namespace tacit::gnn
