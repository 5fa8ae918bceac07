#include "tests/gnn/run/sample_jobs.h"

#include <algorithm>
#include <limits>

#include "bench/data/communities.h"
#include "bench/data/sensors.h"
#include "gnn/data/several_graphs.h"

namespace tacit::gnn {

Job sensors_job(const Ownership& owners) {
  SensorsOptions options;
  options.stations = 90;
  Job job{make_sensors(options), {owners}, {}};
  job.training.model = ModelSpec::gcn(8, 1);
  job.training.rate.initial = 0.04;
  job.training.epochs = 30;
  job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest}};
  job.training.model_to = mpc::To::rank(0);
  job.training.predictions_to = mpc::To::rank(1);
  return job;
}

void take_features(GraphData& graph) {
  graph.missing_features = true;
  Matrix& x = *graph.x;
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      const bool whole = c == 1 && r >= x.rows() / 4;
      if (whole || (5 * r + 3 * c) % 7 == 0) x(r, c) = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

Job without_features(Job job) {
  job.data.missing = MissingFeatures::kMean;
  take_features(job.whole);
  return job;
}

Job snapshots_job(const Ownership& owners) {
  SensorsOptions options;
  options.stations = 40;
  options.hours = 5;
  options.window = 2;
  Job job = sensors_job(owners);
  job.whole = make_sensors(options);
  job.data.snapshots = job.data.ownership.snapshots = options.snapshots();
  return job;
}

Edges edges_between_rows(const GraphData& graph) {
  Edges all;
  if (!graph.edges) return all;
  for (std::int64_t t = 0; t < graph.snapshots; ++t) {
    for (std::size_t e = 0; e < graph.edges->from.size(); ++e) {
      all.from.push_back(graph.edges->from[e] * graph.snapshots + t);
      all.to.push_back(graph.edges->to[e] * graph.snapshots + t);
      if (graph.edges->weighted()) all.weights.push_back(graph.edges->weights[e]);
    }
  }
  return all;
}

Job communities_job(const Ownership& owners) {
  CommunitiesOptions options;
  options.nodes = 120;
  options.classes = 3;
  options.features = 40;
  options.words = 8;
  options.train_per_class = 12;
  options.val = 10;
  options.test = 50;
  Job job{make_communities(options), {.ownership = owners, .classes = 3, .features = FeatureScaling::kRowSum}, {}};
  job.training.model = ModelSpec::gcn(8, 3);
  job.training.objective = Objective::kCrossEntropy;
  job.training.rate.initial = 0.5;
  std::get<SgdOptions>(job.training.optimiser).momentum = 0.9;
  job.training.epochs = 30;
  job.training.metrics = {{Metric::kAccuracy, Part::kTest}};
  job.training.model_to = mpc::To::rank(0);
  job.training.predictions_to = mpc::To::rank(1);
  return job;
}

namespace {

void take_dense_layers(ModelSpec& model, std::int64_t hidden, std::int64_t outputs) {
  using Kind = LayerSpec::Kind;
  model.layers = {
      {.kind = Kind::kDense, .outputs = hidden}, {.kind = Kind::kRelu}, {.kind = Kind::kDense, .outputs = outputs}};
}

}  // namespace

Job rows_job(const Ownership& owners) {
  Job job = sensors_job(owners);
  job.whole.edges.reset();
  take_dense_layers(job.training.model, 8, 1);
  job.training.batch = 20;
  job.training.rate.initial = 0.02;
  return job;
}

Job classes_of_rows_job(const Ownership& owners) {
  Job job = communities_job(owners);
  job.whole.edges.reset();
  take_dense_layers(job.training.model, 8, 3);
  job.training.batch = 15;
  job.training.rate.initial = 0.03;
  job.training.top = {64, 16};  // features alone separate classes badly: many nodes lie between two
  return job;
}

Job many_rows_job(const Ownership& owners) {
  SensorsOptions options;
  options.stations = 1100;
  Job job = rows_job(owners);
  job.whole = make_sensors(options);
  job.whole.edges.reset();
  take_dense_layers(job.training.model, 1000, 1);
  NodeMask& train = *job.whole.train_mask;
  for (std::size_t node = 30; node < train.size(); ++node) train[node] = false;
  job.training.batch = 10;
  job.training.rate.initial = 0.008;
  job.training.epochs = 2;
  return job;
}

namespace {

// Cuts the edges between graphs, which are of 1, 2, ... 6, 1, 2, ... nodes.
void divide_into_graphs(GraphData& whole) {
  whole.graphs.clear();
  for (std::int64_t graph = 0; std::ssize(whole.graphs) < whole.nodes; ++graph) {
    const std::int64_t size = std::min(1 + graph % 6, whole.nodes - std::ssize(whole.graphs));
    whole.graphs.insert(whole.graphs.end(), static_cast<std::size_t>(size), graph);
  }
  const auto graph_of = [&](std::int64_t node) { return whole.graphs[static_cast<std::size_t>(node)]; };
  Edges within;
  for (std::size_t e = 0; e < whole.edges->from.size(); ++e) {
    if (graph_of(whole.edges->from[e]) == graph_of(whole.edges->to[e])) within.add(*whole.edges, e);
  }
  whole.edges = within;
}

// Of five graphs, three are for training, one for validation and one for testing.
void divide_masks(GraphData& whole) {
  const std::int64_t graphs = number_of_graphs(whole);
  NodeMask train(static_cast<std::size_t>(graphs)), validation = train, test = train;
  for (std::size_t i = 0; i < train.size(); ++i) (i % 5 < 3 ? train : i % 5 == 3 ? validation : test)[i] = true;
  whole.train_mask = train;
  whole.val_mask = validation;
  whole.test_mask = test;
}

void pool(ModelSpec& model, std::int64_t hidden, std::int64_t outputs, bool sums) {
  using Kind = LayerSpec::Kind;
  model.layers = {{.kind = Kind::kGraphConvolution, .outputs = hidden},
                  {.kind = Kind::kRelu},
                  {.kind = Kind::kPooling, .sums = sums},
                  {.kind = Kind::kDense, .outputs = outputs}};
}

}  // namespace

Job pooled_job(const Ownership& owners) {
  Job job = sensors_job(owners);
  job.data.ownership.graphs = true;
  GraphData& whole = job.whole;
  divide_into_graphs(whole);
  const Matrix of_nodes = *whole.targets;
  const std::vector<std::int64_t> first = subjects_of(whole.nodes, whole.graphs);
  Matrix targets(std::ssize(first), 1);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::int64_t end = i + 1 < first.size() ? first[i + 1] : whole.nodes;
    targets(static_cast<Eigen::Index>(i), 0) = of_nodes.middleRows(first[i], end - first[i]).mean();
  }
  whole.targets = targets;
  divide_masks(whole);
  move_to_first_nodes(whole);
  pool(job.training.model, 8, 1, false);
  return job;
}

Job sparse(Job job) {
  TACIT_CHECK(job.data.private_graph());
  job.data.adjacency = AdjacencyForm::kSparse;
  return job;
}

Job links_job(const Ownership& owners) {
  Job job = communities_job(owners);
  job.data.ownership.labels = job.data.ownership.masks = {};
  job.data.ownership.pairs = true;
  job.data.links = LinkPlan{.validation = 0.15, .test = 0.25, .drawn = 2, .seed = 5};
  job.data.classes = 2;
  job.whole.classes.reset();
  job.whole.train_mask.reset();
  job.whole.val_mask.reset();
  job.whole.test_mask.reset();
  job.whole.pairs = Edges{{3, 0, 100, 70, 17}, {4, 119, 2, 71, 16}};
  job.training.model = ModelSpec::gcn(8, 6);
  job.training.model.layers.push_back({.kind = LayerSpec::Kind::kDotProduct});
  job.data.features = FeatureScaling::kStandardise;
  job.training.rate.initial = 0.05;
  job.training.metrics = {{Metric::kRocAuc, Part::kTest}, {Metric::kLoss, Part::kValidation}};
  job.training.probabilities_to = mpc::To::rank(1);
  return job;
}

Job classes_of_graphs_job(const Ownership& owners) {
  Job job = communities_job(owners);
  job.data.ownership.graphs = true;
  GraphData& whole = job.whole;
  const Matrix x = whole.sparse_x ? whole.sparse_x->dense() : *whole.x;
  const std::vector<std::int64_t> of_nodes = *whole.classes;
  std::vector<std::vector<std::int64_t>> nodes_of(3);  // by class
  for (std::size_t node = 0; node < of_nodes.size(); ++node) {
    nodes_of[static_cast<std::size_t>(of_nodes[node])].push_back(static_cast<std::int64_t>(node));
  }
  divide_into_graphs(whole);
  // The nodes of a graph are of its class, as long as there are any.
  std::vector<std::int64_t> order, classes;
  for (std::int64_t node = 0; node < whole.nodes; ++node) {
    const std::int64_t graph = whole.graphs[static_cast<std::size_t>(node)];
    std::size_t wanted = static_cast<std::size_t>(graph % 3);
    if (node == 0 || graph != whole.graphs[static_cast<std::size_t>(node - 1)]) classes.push_back(graph % 3);
    while (nodes_of[wanted].empty()) wanted = (wanted + 1) % 3;
    order.push_back(nodes_of[wanted].back());
    nodes_of[wanted].pop_back();
  }
  whole.sparse_x.reset();
  whole.x = Matrix(x(order, Eigen::all));
  whole.classes = classes;
  divide_masks(whole);
  move_to_first_nodes(whole);
  pool(job.training.model, 8, 3, true);
  job.training.rate.initial = 0.05;
  job.training.top = {64, 16};  // few graphs, and some lie between two classes
  return job;
}

}  // namespace tacit::gnn
