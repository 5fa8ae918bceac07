#include "gnn/train/share_for_prediction.h"

#include <algorithm>

#include "gnn/train/folded_model.h"
#include "gnn/train/share_links.h"
#include "gnn/train/shared_columns.h"
#include "gnn/train/shared_edges.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

}  // namespace

PredictionGraph share_for_prediction(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                                     const PredictionAgreement& agreement, const DataScale& scale,
                                     const PartOf& part_of) {
  SharedColumns columns(session, data, training, agreement.holding, part_of);
  Arithmetic& arithmetic = columns.arithmetic();
  columns.begin_sharing();
  PredictionGraph graph;
  if (training.audit_every > 0) graph.audit = std::make_shared<mpc::RangeAudit>(session, kWatchedGroups);
  arithmetic.watch_with(graph.audit.get());
  arithmetic.begin_group(Watched::kFeatures);
  graph.x = columns.features_scaled_by(scale).within(training.ranges.features);
  const FactorRings rings =
      factor_rings(arithmetic, training.model, graph.x.shape().cols, graph.x.format().fraction_bits, edges_of(data));
  graph.x = Arithmetic::in_ring(graph.x, rings.data);
  graph.parameter_rings = rings.parameters;
  graph.x.watched_as(Watched::kFeatures);
  if (scale.features || data.ownership.features.kind == Kind::kPublic) graph.x.certain();
  arithmetic.begin_group(Watched::kTargets);
  const bool folded = folds(data, training);
  if (data.classes == 0 && data.standardise_targets && (training.predictions_to || folded)) {
    graph.target_unit = unit_of_targets(arithmetic, data.ownership.labels, scale);
    if (folded) graph.fold.targets = graph.target_unit;
  }
  if (data.features == FeatureScaling::kStandardise && folded) {
    arithmetic.begin_group(Watched::kFeatures);
    graph.fold.features = unit_of_features(arithmetic, data.ownership.features, scale);
  }
  arithmetic.watch_with(nullptr);
  const std::int64_t nodes = agreement.holding.nodes;
  const Rows rows = rows_of(agreement, columns.any_part());
  const std::vector<LayerSpec>& layers = training.model.layers;
  if (data.links && data.private_graph()) {
    const auto propagators = shared_propagators(columns, training.model, data, agreement.holding);
    graph.views.push_back(GraphView::of_private_pairs(training.model, propagators, nodes, rows,
                                                      ends_of_asked(columns.any_part(), rows, nodes)));
  } else if (!data.links &&
             std::none_of(layers.begin(), layers.end(), [](const LayerSpec& layer) { return layer.gathers(); })) {
    graph.views = blocks_of_rows(training.model, rows, nodes, agreement.holding.features);
  } else if (data.private_graph()) {
    const Graphs graphs = columns.any_part() == nullptr ? Graphs() : Graphs(columns.any_part()->graphs);
    graph.views.push_back(private_view(columns, training.model, data, agreement.holding, rows, graphs));
  } else if (agreement.view) {
    graph.views.push_back(GraphView::of_public(arithmetic, training.model, *agreement.view, nodes, data.edge_weights));
  } else {
    graph.views.push_back(GraphView::of_sizes(arithmetic, training.model, nodes, agreement.sizes, data.edge_weights));
  }
  return graph;
}

}  // namespace tacit::gnn
