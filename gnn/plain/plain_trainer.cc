#include "gnn/plain/plain_trainer.h"

#include <cmath>

#include "gnn/plain/plain_loss.h"

namespace tacit::gnn {

namespace {

std::int64_t likeliest(const Matrix& rows, std::int64_t row) {
  Eigen::Index column = 0;
  rows.row(row).maxCoeff(&column);
  return column;
}

PlainLoss loss_of(const TrainingPlan& plan, const PlainData& data, const Matrix& z) {
  if (plan.objective == Objective::kSquaredError) return plain_mean_squared_error(z, data.y, data.split.train);
  std::vector<std::int64_t> classes;
  for (Eigen::Index row = 0; row < data.y.rows(); ++row) classes.push_back(likeliest(data.y, row));
  return plain_cross_entropy(z, classes, data.split.train);
}

// What secret gradients are multiplied by (see loss.h).
double scale_of(const TrainingPlan& plan, const PlainData& data) {
  const auto rows = static_cast<double>(std::ssize(data.split.train));
  return plan.objective == Objective::kCrossEntropy ? rows : rows * static_cast<double>(data.y.cols()) / 2;
}

}  // namespace

double plain_metric(Metric metric, const Matrix& z, const Matrix& y, const Rows& rows) {
  double sum = 0;
  for (const std::int64_t row : rows) {
    const auto error = (z.row(row) - y.row(row)).eval();
    switch (metric) {
      case Metric::kRootMeanSquaredError:
        sum += error.squaredNorm();
        break;
      case Metric::kMeanAbsoluteError:
        sum += error.cwiseAbs().sum();
        break;
      case Metric::kAccuracy:
        sum += likeliest(z, row) == likeliest(y, row) ? static_cast<double>(y.cols()) : 0;
        break;
    }
  }
  const double mean = sum / static_cast<double>(std::ssize(rows) * y.cols());
  return metric == Metric::kRootMeanSquaredError ? std::sqrt(mean) : mean;
}

PlainTrainer::PlainTrainer(const TrainingPlan& plan, const PlainData& data)
    : plan_(plan),
      data_(data),
      model_(plan.model, data.x.cols(), data.graph, initial_parameters(plan.model, data.x.cols(), plan.seed),
             plan.seed),
      optimiser_(plan.sgd, plan.adam) {}

void PlainTrainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  for (std::int64_t epoch = 1; epoch <= plan_.epochs; ++epoch) {
    EpochEvent event;
    event.epoch = epoch;
    const PlainLoss loss = loss_of(plan_, data_, model_.forward(data_.x, Pass::kTraining));
    event.loss = loss.value;
    optimiser_.step(model_.parameters(), model_.backward(loss.gradient), plan_.rate, scale_of(plan_, data_));
    if (epoch == plan_.epochs || (plan_.evaluate_every > 0 && epoch % plan_.evaluate_every == 0)) {
      const Matrix z = predictions();
      for (const Revealed& what : plan_.metrics) {
        event.readings.push_back({what, plain_metric(what.metric, z, data_.y, rows_of(data_.split, what.part))});
      }
    }
    if (on_epoch) on_epoch(event);
  }
}

}  // namespace tacit::gnn
