#include "tests/gnn/run/record_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gnn/data/preparation.h"
#include "gnn/plain/plain_model.h"
#include "gnn/train/agreement.h"
#include "tests/gnn/ownership_of.h"

namespace tacit::gnn {

Job records_job(std::int64_t classes, double most) {
  Job job;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  job.whole.nodes = kRecordRows;
  job.whole.x = Matrix(kRecordRows, kRecordFeatures);
  for (Eigen::Index i = 0; i < job.whole.x->size(); ++i) {
    job.whole.x->data()[i] = std::round(std::ldexp(std::clamp(normal(random), -most, most), 13)) * 0x1p-13;
  }
  const Matrix score = *job.whole.x * Matrix::Random(kRecordFeatures, std::max<std::int64_t>(classes, 2));
  if (classes > 0) {
    job.whole.classes.emplace();
    for (Eigen::Index row = 0; row < kRecordRows; ++row) {
      Eigen::Index best = 0;
      score.row(row).maxCoeff(&best);
      job.whole.classes->push_back(best);
    }
  } else {
    job.whole.targets = score;
  }
  for (auto* mask : {&job.whole.train_mask, &job.whole.val_mask, &job.whole.test_mask}) mask->emplace(kRecordRows);
  for (std::size_t row = 0; row < kRecordRows; ++row) {
    (row % 5 < 3 ? *job.whole.train_mask : row % 5 == 3 ? *job.whole.val_mask : *job.whole.test_mask)[row] = true;
  }
  job.data.ownership = ownership_of("rows", "none", "rows", "rows");
  job.data.classes = classes;
  job.data.features = FeatureScaling::kNone;
  job.data.standardise_targets = false;
  LayerSpec hidden, last;
  hidden.outputs = 6;
  last.outputs = classes > 0 ? classes : 2;
  job.training.model.layers = {hidden, {LayerSpec::Kind::kRelu}, last};
  job.training.objective = classes > 0 ? Objective::kCrossEntropy : Objective::kSquaredError;
  job.training.mode = TrainingMode::kAggregate;
  PrivacySettings& privacy = job.training.privacy.emplace();
  privacy.noise = 0.05;
  privacy.delta = 1e-3;
  privacy.clip = 0.5;
  job.training.epochs = 6;
  job.training.rate.initial = 0.5;
  job.training.loss_to = std::nullopt;
  job.training.model_to = mpc::To::everyone();
  job.training.metrics = {{classes > 0 ? Metric::kAccuracy : Metric::kRootMeanSquaredError, Part::kTest},
                          {Metric::kLoss, Part::kValidation}};
  return job;
}

void give_logit(Job& job) {
  job.training.objective = Objective::kLogistic;
  job.training.model.layers.back().outputs = 1;
  job.training.model.layers.push_back({LayerSpec::Kind::kLogit});
}

std::vector<NamedMatrix> reference_of(const Job& job) {
  const TrainingPlan& plan = job.training;
  std::vector<NamedMatrix> parameters = initial_parameters(plan.model, kRecordFeatures, plan.seed);
  const Rows rows = rows_of(job.whole, Part::kTrain);
  const Matrix y = job.data.classes > 0 ? one_hot(*job.whole.classes, job.data.classes) : *job.whole.targets;
  const LayeredGraph graph = layered(plan.model, adjacencies_of(plan.model, {}, 1), {0});
  for (std::int64_t epoch = 1; epoch <= plan.epochs; ++epoch) {
    std::vector<Matrix> sums;
    for (const NamedMatrix& one : parameters) sums.push_back(Matrix::Zero(one.values.rows(), one.values.cols()));
    for (const std::int64_t row : rows) {
      PlainModel twin(plan.model, kRecordFeatures, graph, parameters, 1);
      const Matrix z = twin.forward(job.whole.x->row(row), Pass::kTraining);
      const std::vector<Matrix> one = twin.backward(kind_of(plan.objective).plain(z, y.row(row), {0}, {}).gradient);
      double squared = 0;
      for (const Matrix& gradient : one) squared += gradient.squaredNorm();
      const double factor = std::min(1.0, plan.privacy->clip / std::sqrt(squared));
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += factor * one[i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      parameters[i].values -= plan.rate.initial / static_cast<double>(std::ssize(rows)) * sums[i];
    }
  }
  return parameters;
}

void make_records_equal(Job& job) {
  job.whole.x->rowwise() = Matrix(job.whole.x->row(0)).row(0);
  std::fill(job.whole.classes->begin(), job.whole.classes->end(), 0);
  job.training.batch = 6;
  job.training.epochs = 12;
  job.training.rate.initial = 0.02;
}

void expect_movement_of_reference(const Job& job, const std::vector<NamedMatrix>& model) {
  const std::vector<NamedMatrix> initial = initial_parameters(job.training.model, kRecordFeatures, job.training.seed);
  Job steps_of_all = job;
  steps_of_all.training.epochs *= std::ssize(rows_of(job.whole, Part::kTrain)) / job.training.batch;
  const std::vector<NamedMatrix> expected = reference_of(steps_of_all);
  ASSERT_EQ(model.size(), expected.size());
  constexpr double kSevenDeviations = 0.26, kNoise = 0.02;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double moved = (expected[i].values - initial[i].values).norm();
    EXPECT_GT(moved, 2 * kNoise) << expected[i].name;
    EXPECT_LT((model[i].values - expected[i].values).norm(), kSevenDeviations * moved + kNoise) << expected[i].name;
  }
}

}  // namespace tacit::gnn
