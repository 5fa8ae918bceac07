#include "tests/gnn/train/sample_run.h"

#include <algorithm>
#include <cmath>

#include "gnn/data/communities.h"
#include "gnn/data/preparation.h"
#include "gnn/data/sensors.h"
#include "gnn/graph/dense_propagator.h"

namespace tacit::gnn {

namespace {

// As Kipf and Welling: every row of features sums to 1.
Matrix row_normalised(const Matrix& x) { return x.array().colwise() / x.rowwise().sum().array().max(1); }

}  // namespace

Sample sample_of(const GraphData& data, const TrainingPlan& plan, GraphKind graph) {
  Sample sample;
  sample.plan = plan;
  sample.graph = graph;
  sample.x = data.sparse_x ? row_normalised(data.sparse_x->dense()) : standardised(*data.x);
  sample.y = data.classes ? one_hot(*data.classes, 1 + *std::max_element(data.classes->begin(), data.classes->end()))
                          : standardised(*data.targets);
  sample.edges = *data.edges;
  sample.symmetric = normalised(*data.edges, data.nodes, Normalisation::kSymmetric);
  sample.mean = normalised(*data.edges, data.nodes, Normalisation::kMean);
  sample.split = {rows_where(data.train_mask), rows_where(data.val_mask), rows_where(data.test_mask)};
  return sample;
}

Sample sensors_sample(GraphKind graph) {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 1);
  plan.rate = 0.1;
  plan.epochs = 200;
  plan.metrics = {{Metric::kRootMeanSquaredError, Part::kTest}, {Metric::kMeanAbsoluteError, Part::kTest}};
  return sample_of(make_sensors({}), plan, graph);
}

Sample communities_sample() {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 4);
  plan.objective = Objective::kCrossEntropy;
  plan.rate = 0.2;
  plan.sgd = {.momentum = 0.9, .weight_decay = 5e-4};
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
  PlainTrainer trainer(sample.plan, {sample.x, sample.y, {&sample.symmetric, &sample.mean}, sample.split});
  trainer.run([&](const EpochEvent& event) { events.push_back(event); });
  return events;
}

Events secret_run(mpc::Session& session, const Sample& sample, const std::function<void(const EpochEvent&)>& on_epoch,
                  const std::function<void(Trainer&)>& prepare) {
  const mpc::Format top = sample.plan.top;
  const auto tensor = [&](int owner, const Matrix& m, double bound, const std::string& name) {
    return Tensor(session.input(owner, mpc::shape_of(m), top, &m, name), bound, name);
  };
  const int last = session.parties() - 1;
  const Ranges& ranges = sample.plan.ranges;
  SecretGraph graph;
  graph.x = tensor(0, sample.x, ranges.features, "x");
  graph.y = tensor(last, sample.y, ranges.features, "y");
  graph.split = sample.split;
  const ModelSpec& model = sample.plan.model;
  const std::int64_t nodes = sample.x.rows();
  if (sample.graph == GraphKind::kPublic) {
    graph.training = GraphView::of_public(model, sample.edges, nodes, sample.split.train, top.fraction_bits);
    graph.whole = GraphView::of_public(model, sample.edges, nodes, all_rows(nodes), top.fraction_bits);
  } else {
    GraphView::Propagators propagators;
    for (const auto& [kind, adjacency] :
         {std::pair{Normalisation::kSymmetric, &sample.symmetric}, std::pair{Normalisation::kMean, &sample.mean}}) {
      const Matrix dense = adjacency->times(Matrix::Identity(nodes, nodes));
      propagators[kind] = std::make_shared<DensePropagator>(tensor(last, dense, 1, "graph"));
    }
    graph.training = GraphView::of_private(model, propagators, nodes);
    graph.whole = GraphView::of_private(model, propagators, nodes);
  }
  Events events;
  Trainer trainer(session, sample.plan, std::move(graph));
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
