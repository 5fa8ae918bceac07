#include "gnn/attack/rehearsal.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gnn/aggregate/aggregate_trainer.h"
#include "gnn/plain/plain_metric.h"
#include "mpc/session/clear_session.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

std::int64_t likeliest(const Matrix& z, Eigen::Index row) {
  Eigen::Index best = 0;
  z.row(row).maxCoeff(&best);
  return best;
}

}  // namespace

Rehearsal::Rehearsal(TrainingPlan plan, PlainData data, std::optional<double> noise)
    : plan_(std::move(plan)), data_(std::move(data)), noise_(noise) {
  plan_.metrics.clear();
  plan_.stopping.reset();
  plan_.plateau.reset();
  plan_.checkpoint_every = 0;
  const std::int64_t records = data_.x.rows();
  if (data_.y.rows() != records || data_.y.cols() == 0) {
    throw ConfigError(
        "an attack needs a label for each record, and features: take the data of a party that holds both");
  }
  const Rows all = all_rows(records);
  graph_ = layered(plan_.model, adjacencies_of(plan_.model, data_.edges, records, data_.graphs), all);
  if (!of_classes()) return;
  for (std::int64_t row = 0; row < records; ++row) classes_.push_back(likeliest(data_.y, row));
}

Matrix Rehearsal::outputs(const std::vector<NamedMatrix>& parameters, const Matrix& x) const {
  PlainModel model(plan_.model, x.cols(), graph_, parameters, plan_.seed);
  return model.forward(x, Pass::kEvaluation);
}

std::vector<NamedMatrix> Rehearsal::untrained(std::uint64_t seed) const {
  return initial_parameters(plan_.model, data_.x.cols(), seed);
}

std::vector<NamedMatrix> Rehearsal::trained(const Rows& records, std::uint64_t seed) const {
  TrainingPlan plan = plan_;
  plan.seed = seed;
  plan.batch = std::min<std::int64_t>(plan.batch, std::ssize(records));
  if (!noise_) {
    PlainData data = data_;
    data.train = records;
    data.validation = data.test = {};
    plan.loss_to = mpc::To::everyone();
    PlainTrainer trainer(plan, std::move(data));
    trainer.run();
    return trainer.parameters();
  }
  plan.mode = TrainingMode::kAggregate;
  plan.loss_to.reset();
  plan.privacy->epsilon.reset();
  plan.privacy->noise = *noise_;
  plan.privacy->colluding = 0;
  plan.privacy->delta = std::min(plan.privacy->delta, 0.5 / static_cast<double>(std::ssize(records)));
  const TrainingPrivacy privacy = record_privacy(plan, {std::ssize(records)}, 1);
  OwnRecords own;
  own.x = data_.x;
  own.y = data_.y;
  own.train = records;
  own.most_drawn = privacy.most();
  mpc::ClearSession session;
  AggregateTrainer trainer(session, plan, privacy, {data_.x.cols(), data_.y.cols()}, {std::ssize(records), 0, 0}, &own);
  trainer.run();
  return trainer.parameters();
}

std::vector<double> Rehearsal::fit(const Matrix& outputs) const {
  constexpr double kLeast = 1e-300;
  std::vector<double> fits;
  for (Eigen::Index row = 0; row < outputs.rows(); ++row) {
    if (!of_classes()) {
      fits.push_back(-(outputs.row(row) - data_.y.row(row)).squaredNorm());
      continue;
    }
    const auto own = static_cast<Eigen::Index>(classes_[static_cast<std::size_t>(row)]);
    double others = 0;
    for (Eigen::Index c = 0; c < outputs.cols(); ++c) {
      if (c != own) others += std::exp(std::min(outputs(row, c) - outputs(row, own), 700.0));
    }
    fits.push_back(-std::log(std::max(others, kLeast)));
  }
  return fits;
}

double Rehearsal::score(const Matrix& outputs, const Rows& records) const {
  if (records.empty()) return 0;
  const Metric metric = of_classes() ? Metric::kAccuracy : Metric::kRootMeanSquaredError;
  return plain_metric({metric, Part::kTest, mpc::To::everyone()}, outputs, data_.y, records).value;
}

double Rehearsal::constant_answer(const Rows& records) const {
  if (!of_classes()) {
    Matrix mean = Matrix::Zero(1, data_.y.cols());
    for (const std::int64_t row : data_.train) mean += data_.y.row(row) / static_cast<double>(std::ssize(data_.train));
    return score(mean.replicate(data_.y.rows(), 1), records);
  }
  std::map<std::int64_t, std::int64_t> counts;
  for (const std::int64_t row : data_.train) ++counts[classes_[static_cast<std::size_t>(row)]];
  std::int64_t commonest = 0;
  for (const auto& [one, count] : counts) commonest = count > counts[commonest] ? one : commonest;
  const auto same = [&](std::int64_t row) { return classes_[static_cast<std::size_t>(row)] == commonest; };
  return static_cast<double>(std::count_if(records.begin(), records.end(), same)) /
         static_cast<double>(std::max<std::int64_t>(std::ssize(records), 1));
}

}  // namespace tacit::gnn
