#include "tests/gnn/train/sample_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/data/communities.h"
#include "bench/data/sensors.h"
#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/train/share_graph.h"
#include "tests/gnn/ownership_of.h"

namespace tacit::gnn {

namespace {

// The first party has x, the last one the rest. A public graph is everybody's.
DataPlan data_plan_of(const Sample& sample, int parties) {
  const bool classes = sample.plan.objective == Objective::kCrossEntropy;
  const std::string last = fmt::format("rank {}", parties - 1);
  DataPlan data;
  data.ownership = ownership_of("rank 0", sample.graph == GraphKind::kPublic ? "public" : last.c_str(), last.c_str());
  data.classes = classes ? sample.y.cols() : 0;
  data.features = FeatureScaling::kNone;  // a sample is scaled already
  data.standardise_targets = false;
  return data;
}

NodeMask mask_of(const Rows& rows, std::int64_t nodes) {
  NodeMask mask(static_cast<std::size_t>(nodes));
  for (const std::int64_t row : rows) mask[static_cast<std::size_t>(row)] = true;
  return mask;
}

GraphData whole_of(const Sample& sample) {
  GraphData whole;
  whole.nodes = sample.x.rows();
  whole.x = sample.x;
  whole.edges = sample.edges;
  if (sample.plan.objective == Objective::kCrossEntropy) {
    whole.classes.emplace();
    for (Eigen::Index node = 0; node < sample.y.rows(); ++node) {
      Eigen::Index of_node = 0;
      sample.y.row(node).maxCoeff(&of_node);
      whole.classes->push_back(of_node);
    }
  } else {
    whole.targets = sample.y;
  }
  whole.train_mask = mask_of(sample.train, whole.nodes);
  whole.val_mask = mask_of(sample.validation, whole.nodes);
  whole.test_mask = mask_of(sample.test, whole.nodes);
  return whole;
}

}  // namespace

Sample sample_of(const GraphData& data, const TrainingPlan& plan, GraphKind graph) {
  Sample sample;
  sample.plan = plan;
  sample.graph = graph;
  sample.x = data.sparse_x ? with_rows_of_sum_1(data.sparse_x->dense()) : standardised(*data.x);
  sample.y = data.classes ? one_hot(*data.classes, 1 + *std::max_element(data.classes->begin(), data.classes->end()))
                          : standardised(*data.targets);
  sample.edges = *data.edges;
  sample.train = rows_where(data.train_mask);
  sample.validation = rows_where(data.val_mask);
  sample.test = rows_where(data.test_mask);
  return sample;
}

Sample sensors_sample(GraphKind graph, std::int64_t stations) {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 1);
  plan.rate.initial = 0.1;
  plan.epochs = 200;
  plan.metrics = {{Metric::kRootMeanSquaredError, Part::kTest}, {Metric::kMeanAbsoluteError, Part::kTest}};
  return sample_of(make_sensors({.stations = stations}), plan, graph);
}

Sample communities_sample() {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 4);
  plan.objective = Objective::kCrossEntropy;
  plan.rate.initial = 0.2;
  plan.optimiser = SgdOptions{.momentum = 0.9, .weight_decay = 5e-4};
  plan.epochs = 200;
  plan.metrics = {{Metric::kAccuracy, Part::kTest}};
  CommunitiesOptions options;
  options.nodes = 400;
  options.classes = 4;
  options.features = 100;
  options.words = 12;
  options.val = 50;
  options.test = 200;
  return sample_of(make_communities(options), plan, GraphKind::kPublic);
}

Events plain_run(const Sample& sample) {
  Events events;
  PlainTrainer trainer(sample.plan, {sample.x, sample.y, sample.edges, sample.train, sample.validation, sample.test,
                                     sample.graph == GraphKind::kPrivateDense});
  trainer.run([&](const EpochEvent& event) { events.push_back(event); });
  return events;
}

Events secret_run(mpc::Session& session, const Sample& sample, const std::function<void(const EpochEvent&)>& on_epoch,
                  const std::function<void(Trainer&)>& prepare) {
  const DataPlan data = data_plan_of(sample, session.parties());
  const GraphData whole = whole_of(sample);
  std::vector<GraphData> parts;
  for (int rank = 0; rank < session.parties(); ++rank) {
    parts.push_back(part_of(whole, data.ownership, rank, session.parties()));
  }
  const DataAgreement agreement = agreement_of(data, sample.plan, parts);
  const PartOf own = [&](int rank) { return &parts[static_cast<std::size_t>(rank)]; };
  Events events;
  Trainer trainer(session, sample.plan, share_graph(session, data, sample.plan, agreement, own));
  if (prepare) prepare(trainer);
  trainer.run([&](const EpochEvent& event) {
    events.push_back(event);
    if (on_epoch) on_epoch(event);
  });
  return events;
}

double largest_difference(const Events& a, const Events& b) {
  double worst = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    worst = std::max(worst, std::abs(*a[i].loss / *b[i].loss - 1));
  }
  return worst;
}

}  // namespace tacit::gnn
