#include "tests/gnn/train/sample_run.h"

#include <algorithm>
#include <cmath>

#include "bench/data/communities.h"
#include "bench/data/sensors.h"
#include "gnn/data/preparation.h"
#include "gnn/graph/dense_propagator.h"
#include "gnn/train/batches.h"
#include "mpc/protocols/input.h"

namespace tacit::gnn {

namespace {

// A private graph in the form that training multiplies by; another test covers its normalisation on
// shares.
GraphView private_view(const Arithmetic& arithmetic, const Sample& sample,
                       const std::function<Tensor(const Matrix&)>& secret) {
  const std::int64_t nodes = sample.x.rows();
  GraphView::Propagators propagators;
  for (const auto& [kind, adjacency] : adjacencies_of(sample.plan.model, sample.edges, nodes)) {
    propagators[kind] = std::make_shared<DensePropagator>(secret(adjacency.times(Matrix::Identity(nodes, nodes))));
  }
  return GraphView::of_private(arithmetic, sample.plan.model, propagators, nodes, all_rows(nodes), {});
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
  const mpc::Format top = sample.plan.top;
  const auto tensor = [&](int owner, const Matrix& m, double bound, const std::string& name) {
    return Tensor(mpc::input(session, owner, mpc::shape_of(m), top, &m, name), bound, name);
  };
  const int last = session.parties() - 1;
  const Ranges& ranges = sample.plan.ranges;
  SecretGraph graph;
  graph.x = tensor(0, sample.x, ranges.features, "x");
  graph.y = tensor(last, sample.y, ranges.features, "y");
  const std::int64_t nodes = sample.x.rows();
  graph.train = Selection::of(sample.train, nodes);
  graph.validation = Selection::of(sample.validation, nodes);
  graph.test = Selection::of(sample.test, nodes);
  const std::vector<Rows> batches = batches_of(std::ssize(sample.train), sample.plan.batch, sample.plan.seed);
  const Arithmetic arithmetic(session, top, ranges);
  if (sample.graph == GraphKind::kPublic) {
    const PublicViews views = public_views(sample.plan, sample.edges, nodes, sample.train);
    const auto view = [&](const LayeredGraph& part) {
      return GraphView::of_public(arithmetic, sample.plan.model, part, nodes);
    };
    graph.whole = view(views.whole);
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const std::int64_t count = std::ssize(batches[i]);
      graph.batches.push_back({view(views.batches[i]), Selection::of(all_rows(count), count)});
    }
  } else {
    graph.whole = private_view(arithmetic, sample, [&](const Matrix& m) { return tensor(last, m, 1, "graph"); });
    for (const Rows& batch : batches) {
      graph.batches.push_back({graph.whole, Selection::of(rows_at(sample.train, batch), nodes)});
    }
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
