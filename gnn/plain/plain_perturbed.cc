#include "gnn/plain/plain_perturbed.h"

#include "gnn/graph/adjacency.h"
#include "gnn/train/perturbed_graph.h"

namespace tacit::gnn {

namespace {

Matrix softmax_of(const Matrix& z) {
  Matrix p = (z.colwise() - z.rowwise().maxCoeff()).array().exp().matrix();
  for (Eigen::Index row = 0; row < p.rows(); ++row) p.row(row) /= p.row(row).sum();
  return p;
}

}  // namespace

PlainData plain_perturbed(const TrainingPlan& training, PlainData data) {
  const Adjacency sums = normalised(data.edges, data.x.rows(), Normalisation::kSum);
  data.edges = {};
  PlainTrainer encoder(encoder_of(training), data);
  encoder.run();
  const Matrix p = softmax_of(encoder.predictions());
  Matrix both(p.rows(), 2 * p.cols());
  both << p, sums.times(p);
  data.x = std::move(both);
  return data;
}

TrainingPlan without_noise(TrainingPlan training) {
  training.privacy.reset();
  training.model.perturbed.reset();
  return training;
}

}  // namespace tacit::gnn
