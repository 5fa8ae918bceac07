#include "gnn/train/perturbed_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/softmax.h"
#include "gnn/train/share_graph.h"
#include "gnn/train/shared_columns.h"
#include "gnn/train/shared_edges.h"
#include "mpc/protocols/noise.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// By how much a row of probabilities can be longer than 1: each is off by at most max(1, n/2)·2^-13 + 2^-12 and three units
// (mpc/functions/softmax.h), and the excess is at most the sum of the errors.
double slack(std::int64_t classes, std::int64_t parties, int fraction_bits) {
  const double each =
      std::ldexp(std::max(1.0, static_cast<double>(parties) / 2), -13) + 0x1p-12 + 3 * std::ldexp(1.0, -fraction_bits);
  return 2 * static_cast<double>(classes) * each;
}

// (A + I)·p + noise.
Tensor noisy_sums(Arithmetic& arithmetic, const Tensor& adjacency, const Tensor& p, const TrainingPrivacy& privacy) {
  TACIT_CHECK(adjacency.format().fraction_bits == 0);
  const double nodes = static_cast<double>(p.shape().rows),
               longest = 1 + slack(p.shape().cols, privacy.parties, arithmetic.top().fraction_bits);
  const Tensor sums = arithmetic.matmul({adjacency, p, nodes * p.bound(), "sums over neighbours"});
  TACIT_CHECK(sums.format().fraction_bits == p.format().fraction_bits);
  TACIT_CHECK(grid_of_sums(p.shape().cols, sums.format().fraction_bits) <= kMostGridOfEdges);
  const double sigma = std::ldexp(privacy.noise * std::sqrt(2.0) * longest, sums.format().fraction_bits);
  const mpc::Noise noise{static_cast<std::int64_t>(std::ceil(sigma)), privacy.noise_from,
                         static_cast<int>(privacy.colluding)};
  const double most =
      std::ldexp(mpc::largest_noise(noise, static_cast<int>(privacy.parties)), -sums.format().fraction_bits);
  return {mpc::add_noise(arithmetic.session(), sums.share(), noise), sums.bound() + most, "noisy sums"};
}

// A model of one layer that adds rows over edges.
ModelSpec sums_over_edges() {
  LayerSpec layer;
  layer.kind = LayerSpec::Kind::kSumAggregation;
  layer.outputs = 1;
  return {{layer}};
}

// The data without edges.
DataPlan rows_alone(DataPlan data) {
  data.ownership.edges = {};
  return data;
}

// The graph of the model that reads these columns.
PerturbedGraph reading(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                       const DataAgreement& agreement, const PartOf& part_of, TrainingState::Perturbed made,
                       const DataScale& scale) {
  PerturbedGraph graph;
  graph.plan = training;
  graph.plan.privacy.reset();
  graph.graph = share_graph(session, rows_alone(data), graph.plan, agreement, part_of, &scale);
  graph.graph.x = made.columns.certain();
  graph.graph.parameter_rings.clear();  // the new columns have other fraction bits than the features
  graph.made = std::move(made);
  return graph;
}

}  // namespace

TrainingPlan encoder_of(const TrainingPlan& training) {
  TrainingPlan encoder = training;
  LayerSpec hidden, last = training.model.layers.back();
  hidden.outputs = training.model.perturbed->hidden;
  encoder.model = {{hidden, {LayerSpec::Kind::kRelu}, last}};
  encoder.epochs = training.model.perturbed->encoder_epochs;
  encoder.privacy.reset();
  encoder.loss_to.reset();
  encoder.stopping.reset();
  encoder.plateau.reset();
  encoder.checkpoint_every = 0;
  encoder.evaluate_every = 0;
  for (Revealed& what : encoder.metrics) what.every = 0;
  encoder.predictions_to = mpc::To::everyone();  // predictions of all nodes are computed, and not revealed
  return encoder;
}

std::int64_t columns_of_perturbed(const TrainingPlan& training) { return 2 * training.model.layers.back().outputs; }

PerturbedGraph perturbed_graph(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                               const DataAgreement& agreement, const PartOf& part_of, const TrainingPrivacy& privacy,
                               const std::function<void()>& on_encoder_epoch) {
  const TrainingPlan encoder = encoder_of(training);
  SecretGraph own = share_graph(session, rows_alone(data), encoder, agreement, part_of);
  const DataScale scale = own.scale;
  Trainer trainer(session, encoder, std::move(own));
  std::vector<EpochEvent::Reading> readings;
  trainer.between_epochs([&](std::int64_t) {
    if (on_encoder_epoch) on_encoder_epoch();
  });
  trainer.run([&](const EpochEvent& event) { readings = event.readings; });
  session.begin_part("sums over edges");
  trainer.arithmetic().begin_group(Watched::kLogits);
  const Tensor z = trainer.arithmetic().refreshed(trainer.predictions());
  // Of the encoder's last weights and of its outputs. The noise is stated for rows of a softmax of values in range.
  trainer.audit_news();
  session.begin_part("sums over edges");
  Arithmetic arithmetic(session, training.top, training.ranges);
  const Tensor p = arithmetic.lifted(softmax(arithmetic, z, false).probability);
  SharedColumns columns(session, data, training, agreement.holding, part_of);
  const Tensor adjacency =
      shared_adjacencies(columns, sums_over_edges(), data, agreement.holding).at(Normalisation::kSum);
  session.begin_part("sums over edges");
  const Tensor y = noisy_sums(arithmetic, adjacency, p, privacy);
  TrainingState::Perturbed made{beside(std::array{p, y}), {}, {}};
  for (const Parameter* parameter : trainer.parameters()) made.encoder.push_back(parameter->value);
  for (const Revealed& what : encoder.metrics) {
    const auto seen = std::find_if(readings.begin(), readings.end(), [&](const EpochEvent::Reading& one) {
      return name_of(one.what) == name_of(what) && one.what.to == what.to;
    });
    made.readings.push_back(seen == readings.end() ? std::numeric_limits<double>::quiet_NaN() : seen->value);
  }
  PerturbedGraph graph = reading(session, data, training, agreement, part_of, std::move(made), scale);
  graph.of_encoder = std::move(readings);
  return graph;
}

PerturbedGraph perturbed_graph_again(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                                     const DataAgreement& agreement, const PartOf& part_of,
                                     TrainingState::Perturbed made, const DataScale& scale) {
  const TrainingPlan encoder = encoder_of(training);
  const bool fits = made.columns.shape() == Shape{agreement.holding.nodes, columns_of_perturbed(training)} &&
                    made.columns.format() == training.top;
  if (!fits) throw ConfigError("the state belongs to another model; resume with the job that saved it");
  std::vector<EpochEvent::Reading> readings;
  for (std::size_t i = 0; i < std::min(made.readings.size(), encoder.metrics.size()); ++i) {
    if (std::isfinite(made.readings[i])) readings.push_back({encoder.metrics[i], made.readings[i], {}});
  }
  PerturbedGraph graph = reading(session, data, training, agreement, part_of, std::move(made), scale);
  graph.of_encoder = std::move(readings);
  return graph;
}

}  // namespace tacit::gnn
