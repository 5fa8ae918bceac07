#include "gnn/train/public_views.h"

#include "gnn/data/several_graphs.h"
#include "gnn/train/batches.h"

namespace tacit::gnn {

PublicViews public_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Rows& train,
                         Graphs graphs) {
  const Adjacencies adjacencies = adjacencies_of(plan.model, edges, nodes, graphs);
  PublicViews views;
  for (const Rows& batch : batches_of(std::ssize(train), plan.batch, plan.seed)) {
    views.batches.push_back(layered(plan.model, adjacencies, rows_at(train, batch)));
  }
  views.whole = layered(plan.model, adjacencies, subjects_of(nodes, graphs));
  return views;
}

PublicViews whole_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, Graphs graphs) {
  return {{}, layered(plan.model, adjacencies_of(plan.model, edges, nodes, graphs), subjects_of(nodes, graphs))};
}

PublicViews views_of_links(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Edges& pairs,
                           const LinkPairs& numbers, const Edges* asked) {
  const Adjacencies adjacencies = adjacencies_of(plan.model, edges, nodes);
  const auto view = [&](const Rows& some) { return layered(plan.model, adjacencies, some, pairs); };
  const Rows train = numbers.of(Part::kTrain);
  PublicViews views;
  for (const Rows& batch : batches_of(std::ssize(train), plan.batch, plan.seed)) {
    views.batches.push_back(view(rows_at(train, batch)));
  }
  for (const Revealed& what : plan.metrics) {
    if (!views.measured.contains(what.part)) views.measured.emplace(what.part, view(numbers.of(what.part)));
  }
  if (asked != nullptr) views.asked = layered(plan.model, adjacencies, all_rows(asked->size()), *asked);
  return views;
}

}  // namespace tacit::gnn
