#include "bench/tables/records_job.h"

#include "gnn/arithmetic/default_ranges.h"

namespace tacit::launcher {

namespace {

gnn::LayerSpec dense(std::int64_t outputs) {
  gnn::LayerSpec layer;
  layer.outputs = outputs;
  return layer;
}

}  // namespace

Job records_job(int parties) {
  Job job;
  job.name = "records";
  job.parties = parties;
  gnn::PartOwnership& features = job.data.ownership.features;
  features = gnn::parse_ownership("rows", gnn::GraphPart::kFeatures);
  job.data.ownership.labels = gnn::parse_ownership("rows", gnn::GraphPart::kLabels);
  job.data.ownership.masks = gnn::parse_ownership("rows", gnn::GraphPart::kMasks);
  job.data.ownership.edges = gnn::parse_ownership("none", gnn::GraphPart::kEdges);
  job.data.classes = 2;
  job.data.features = gnn::FeatureScaling::kNone;
  job.data.standardise_targets = false;
  job.training.model.layers = {dense(50), {gnn::LayerSpec::Kind::kRelu}, dense(1), {gnn::LayerSpec::Kind::kLogit}};
  job.training.objective = gnn::Objective::kLogistic;
  job.training.rate.initial = 0.5;
  job.training.loss_to.reset();
  job.training.model_to = mpc::To::everyone();
  job.training.metrics = {{gnn::Metric::kAccuracy, gnn::Part::kTest, mpc::To::everyone()}};
  job.training.ranges = gnn::kPrivateRanges;
  return job;
}

void make_private(Job& job, double noise, double delta) {
  gnn::PrivacySettings& privacy = job.training.privacy.emplace();
  privacy.noise = noise;
  privacy.delta = delta;
  job.training.audit_every = 0;
}

void make_aggregate(Job& job, double noise, double delta) {
  make_private(job, noise, delta);
  job.training.mode = gnn::TrainingMode::kAggregate;
  job.training.correlations = Job::Correlations::kNone;
}

}  // namespace tacit::launcher
