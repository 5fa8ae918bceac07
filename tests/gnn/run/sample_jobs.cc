#include "tests/gnn/run/sample_jobs.h"

#include "bench/data/communities.h"
#include "bench/data/sensors.h"

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

}  // namespace tacit::gnn
