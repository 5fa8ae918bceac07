#include "gnn/plain/plain_trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gnn/train/batches.h"

namespace tacit::gnn {

namespace {

std::int64_t likeliest(const Matrix& rows, std::int64_t row) {
  Eigen::Index column = 0;
  rows.row(row).maxCoeff(&column);
  return column;
}

PublicViews views_of(const TrainingPlan& plan, const PlainData& data) {
  const std::int64_t nodes = data.x.rows();
  return data.private_graph ? whole_views(plan, data.edges, nodes) : public_views(plan, data.edges, nodes, data.train);
}

}  // namespace

double plain_metric(Metric metric, const Matrix& z, const Matrix& y, const Rows& rows, const Matrix& unit) {
  double sum = 0;
  for (const std::int64_t row : rows) {
    auto error = (z.row(row) - y.row(row)).eval();
    if (unit.size() > 0) error = error.cwiseProduct(unit.row(0));
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

PlainTrainer::PlainTrainer(const TrainingPlan& plan, PlainData data)
    : plan_(plan),
      data_(std::move(data)),
      views_(views_of(plan, data_)),
      parameters_(initial_parameters(plan.model, data_.x.cols(), plan.seed)),
      whole_model_(plan.model, data_.x.cols(), views_.whole, parameters_, plan.seed),
      optimiser_(make_plain_optimiser(plan.optimiser)) {
  check(plan, data_.x.cols());
  const std::vector<Rows> rows = batches_of(std::ssize(data_.train), plan.batch, plan.seed);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LayeredGraph& view = views_.of_batch(i);
    largest_batch_ = std::max(largest_batch_, std::ssize(rows[i]));
    batches_.push_back({data_.x(view.rows.front(), Eigen::all), data_.y(view.rows.back(), Eigen::all),
                        positions(rows_at(data_.train, rows[i]), view.rows.back()),
                        PlainModel(plan.model, data_.x.cols(), view, parameters_, plan.seed)});
  }
}

void PlainTrainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  bool last = false;
  for (std::int64_t epoch = 1; epoch <= plan_.epochs && !last; ++epoch) {
    const auto begin = std::chrono::steady_clock::now();
    EpochEvent event;
    event.epoch = epoch;
    event.rate = plan_.rate.at(epoch, plan_.epochs);
    double loss = 0;
    for (const std::size_t i : order_of_batches(batches_.size(), plan_.seed, event.epoch)) {
      const double part = static_cast<double>(std::ssize(batches_[i].labelled));
      loss += part * step(batches_[i], event.rate).value;
    }
    event.loss = loss / static_cast<double>(std::ssize(data_.train));
    const bool due = plan_.evaluate_every > 0 && event.epoch % plan_.evaluate_every == 0;
    if (due) evaluate(event);
    event.last = last = (plan_.stopping && stops(event, due)) || epoch == plan_.epochs;
    if (event.last && !due) evaluate(event);
    event.usage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (on_epoch) on_epoch(event);
  }
}

PlainLoss PlainTrainer::step(Batch& batch, double rate) {
  batch.model.set_pass(passes_++);
  const Matrix z = batch.model.forward(batch.x, Pass::kTraining);
  PlainLoss loss = kind_of(plan_.objective).plain(z, batch.y, batch.labelled);
  std::vector<Matrix> gradients = batch.model.backward(loss.gradient);
  // Every labelled node has the same weight, in a smaller batch as well.
  const double part = static_cast<double>(std::ssize(batch.labelled)) / static_cast<double>(largest_batch_);
  for (Matrix& gradient : gradients) gradient *= part;
  if (plan_.clip) {
    for (Matrix& gradient : gradients) gradient = gradient.cwiseMax(-*plan_.clip).cwiseMin(*plan_.clip);
  }
  optimiser_->step(parameters_, gradients, rate, gradient_scale(plan_, largest_batch_, batch.y.cols()).scale);
  return loss;
}

void PlainTrainer::evaluate(EpochEvent& event) {
  if (plan_.metrics.empty()) return;
  const Matrix z = predictions();
  for (const Revealed& what : plan_.metrics) {
    event.readings.push_back({what, plain_metric(what.metric, z, data_.y, data_.nodes(what.part), data_.unit)});
  }
}

bool PlainTrainer::stops(const EpochEvent& event, bool evaluated) {
  if (plan_.stopping->metric && !evaluated) return false;
  const double judged = judged_by(*plan_.stopping, event).value();
  return progress_.stops(*plan_.stopping, progress_.is_bettered_by(*plan_.stopping, judged), judged);
}

}  // namespace tacit::gnn
