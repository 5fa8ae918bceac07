#include "gnn/run/planned_predictor.h"

#include "gnn/train/perturbed_graph.h"
#include "gnn/train/shared_columns.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/restore.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

mpc::Share restored_from_nothing(mpc::Session& session, Shape shape, mpc::Format format) {
  return mpc::restore(session, mpc::SavedShare::nothing(shape, format));
}

DataScale::Shared planned_scale(mpc::Session& session, std::int64_t columns) {
  const auto row = [&](int fraction_bits) {
    return restored_from_nothing(session, {1, columns}, {mpc::kWordBits, fraction_bits});
  };
  DataScale::Shared scale;
  scale.columns.mean = row(ColumnScale::kRawBits);
  scale.columns.inverse_deviation = row(ColumnScale::kInverseBits);
  scale.columns.deviation = row(ColumnScale::kRawBits);
  scale.powers.resize(static_cast<std::size_t>(columns));
  return scale;
}

// The columns of targets at each rank in the training.
std::vector<std::int64_t> target_columns(const DataPlan& data, const TrainingPlan& training, int parties) {
  const PartOwnership& owned = data.ownership.labels;
  const std::int64_t all = outputs_of(training.model, 0);
  if (owned.kind == Kind::kByColumns) return column_split(owned, GraphPart::kLabels, all, parties);
  std::vector<std::int64_t> columns(static_cast<std::size_t>(parties), owned.kind == Kind::kWhole ? 0 : all);
  if (owned.kind == Kind::kWhole) columns[static_cast<std::size_t>(owned.rank)] = all;
  return columns;
}

}  // namespace

PlannedPredictor::PlannedPredictor(const DataPlan& data, const TrainingPlan& training,
                                   const PredictionAgreement& agreement, const PlannedRank& rank)
    : session_(static_cast<int>(agreement.holding.edges.size()), rank.parties, rank.rank, rank.openings,
               training.correlations_from()) {
  const int owners = static_cast<int>(agreement.holding.edges.size());
  session_.begin_part(kTestPart);
  mpc::expect_known_answer(session_);
  DataScale scale;
  scale.own.resize(static_cast<std::size_t>(session_.parties()));
  scale.feature_columns = columns_of(agreement.holding.x);
  const bool standardised = data.features == FeatureScaling::kStandardise;
  if (standardised && data.ownership.features.kind == Kind::kByRows) {
    scale.features = planned_scale(session_, agreement.holding.features);
  }
  if (data.classes == 0 && data.standardise_targets) {
    scale.target_columns = target_columns(data, training, owners);
    if (data.ownership.labels.kind == Kind::kByRows) {
      scale.targets = planned_scale(session_, outputs_of(training.model, 0));
    }
  }
  Tensors parameters;
  const bool perturbed = training.model.perturbed.has_value();
  const std::int64_t inputs = perturbed ? columns_of_perturbed(training) : agreement.holding.features;
  for (const NamedMatrix& one : initial_parameters(training.model, inputs, training.seed)) {
    parameters.emplace_back(restored_from_nothing(session_, mpc::shape_of(one.values), training.top),
                            training.ranges.weights, one.name);
  }
  PredictionGraph graph = share_for_prediction(session_, data, training, agreement, scale, [](int) { return nullptr; });
  if (perturbed) {
    const Shape columns{agreement.holding.nodes, inputs};
    graph.x = Tensor(restored_from_nothing(session_, columns, training.top), training.ranges.activations, "columns")
                  .certain();
  }
  blocks_ = std::ssize(graph.views);
  predictor_.emplace(session_, training, std::move(graph), std::move(parameters));
  session_.end_part();
}

}  // namespace tacit::gnn
