#include "gnn/train/share_records.h"

#include <algorithm>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/train/node_outputs.h"
#include "gnn/train/share_graph.h"

namespace tacit::gnn {

namespace {

// Adds the steps of an epoch, all alike.
void add_steps(SecretGraph& graph, const TrainingPlan& training, RecordSource source) {
  const std::int64_t rows = source.privacy.most();
  const GraphView view = GraphView::of_rows(training.model, all_rows(rows), rows);
  graph.batches.assign(static_cast<std::size_t>(source.privacy.steps), {view, Selection::of(all_rows(rows), rows)});
  graph.records = std::move(source);
}

Selection& selection(SecretGraph& graph, Part part) {
  return part == Part::kTrain ? graph.train : part == Part::kValidation ? graph.validation : graph.test;
}

}  // namespace

SecretGraph share_records(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                          const DataAgreement& agreement, RecordSource source) {
  session.begin_part("sharing the data");
  Arithmetic arithmetic(session, training.top, training.ranges);
  const double largest = training.ranges.features;
  const Holding& holding = agreement.holding;
  source.features = holding.features;
  source.labels = data.classes > 0 ? data.classes : holding.targets;
  SecretGraph graph;
  Tensors x, y;
  std::int64_t at = 0;
  std::map<Part, Rows> places;
  for (const Part part : {Part::kValidation, Part::kTest}) {
    for (std::size_t owner = 0; owner < agreement.by_rank.size(); ++owner) {
      const std::int64_t rows = agreement.by_rank[owner].of(part);
      if (rows == 0) continue;
      const OwnRecords* own = session.computes() ? source.owned(static_cast<int>(owner)) : nullptr;
      const auto put_in = [&](const Matrix OwnRecords::*which, std::int64_t columns, const char* name) {
        std::optional<Matrix> mine;
        if (own != nullptr) mine = (own->*which)(own->rows(part), Eigen::all);
        return share_input(arithmetic, static_cast<int>(owner), {rows, columns}, mine ? &*mine : nullptr,
                           Precision::kValue, largest, name);
      };
      x.push_back(put_in(&OwnRecords::x, source.features, "x"));
      y.push_back(put_in(&OwnRecords::y, source.labels, "y"));
      for (std::int64_t row = 0; row < rows; ++row) places[part].push_back(at++);
    }
  }
  if (at == 0) {  // no metric has rows; an empty row keeps the shapes of a model's data
    const auto zeros = [&](std::int64_t columns, const char* name) {
      return share_known(arithmetic, Matrix::Zero(1, columns), largest, name);
    };
    x.push_back(zeros(source.features, "x"));
    y.push_back(zeros(source.labels, "y"));
    at = 1;
  }
  graph.x = stacked(x);
  graph.y = stacked(y);
  for (const Part part : {Part::kTrain, Part::kValidation, Part::kTest}) {
    selection(graph, part) = Selection::of(places[part], at);
  }
  graph.whole = GraphView::of_rows(training.model, all_rows(at), at);
  if (at > rows_of_a_block(training.model, source.features)) {
    graph.blocks.emplace();
    for (const Revealed& what : training.metrics) {
      graph.blocks->measured.try_emplace(what.part,
                                         blocks_of_rows(training.model, places[what.part], at, source.features));
    }
  }
  add_steps(graph, training, std::move(source));
  return graph;
}

SecretGraph share_for_training(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                               const DataAgreement& agreement, const PartOf& part_of,
                               std::optional<RecordSource> source, const DataScale* resumed) {
  if (source && source->privacy.sampling == Sampling::kOwners) {
    return share_records(session, data, training, agreement, std::move(*source));
  }
  SecretGraph graph = share_graph(session, data, training, agreement, part_of, resumed);
  if (!source) return graph;
  Arithmetic arithmetic(session, training.top, training.ranges);
  source->features = graph.x.shape().cols;
  source->labels = graph.y.shape().cols;
  source->x = graph.train.pick(arithmetic, graph.x, graph.x.bound(), "x");
  source->y = graph.train.pick(arithmetic, graph.y, graph.y.bound(), "y");
  add_steps(graph, training, std::move(*source));
  return graph;
}

}  // namespace tacit::gnn
