#include "gnn/plain/plain_trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gnn/train/batches.h"

namespace tacit::gnn {

namespace {

PublicViews views_of(const TrainingPlan& plan, const PlainData& data) {
  const std::int64_t nodes = data.x.rows();
  if (plan.model.pairs()) {
    const Adjacencies adjacencies = adjacencies_of(plan.model, data.edges, nodes);
    PublicViews views;
    for (const Rows& batch : batches_of(std::ssize(data.train), plan.batch, plan.seed)) {
      views.batches.push_back(layered(plan.model, adjacencies, rows_at(data.train, batch), data.pairs));
    }
    views.whole = layered(plan.model, adjacencies, all_rows(data.pairs.size()), data.pairs);
    return views;
  }
  return data.private_graph ? whole_views(plan, data.edges, nodes, data.graphs)
                            : public_views(plan, data.edges, nodes, data.train, data.graphs);
}

}  // namespace

PlainTrainer::PlainTrainer(const TrainingPlan& plan, PlainData data)
    : plan_(plan),
      data_(std::move(data)),
      views_(views_of(plan, data_)),
      parameters_(initial_parameters(plan.model, data_.x.cols(), plan.seed)),
      whole_model_(plan.model, data_.x.cols(), views_.whole, parameters_, plan.seed),
      y_of_subjects_(data_.y(views_.whole.rows.back(), Eigen::all)),
      optimiser_(make_plain_optimiser(plan.optimiser)),
      loss_{plain_class_weights(plan.class_weights, data_.y, data_.train), plan.label_smoothing} {
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

// A node in no pair, and far from all pairs, is no row of the view.
Matrix PlainTrainer::predictions() {
  const Rows& read = views_.whole.rows.front();
  if (std::ssize(read) == data_.x.rows()) return whole_model_.forward(data_.x, Pass::kEvaluation);
  return whole_model_.forward(data_.x(read, Eigen::all), Pass::kEvaluation);
}

void PlainTrainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  bool last = false;
  for (std::int64_t epoch = 1; epoch <= plan_.epochs && !last; ++epoch) {
    const auto begin = std::chrono::steady_clock::now();
    EpochEvent event;
    event.epoch = epoch;
    event.rate = rate_of(plan_, epoch, reductions_);
    if (plan_.keeps_best() && !plan_.stopping->judged.metric) before_ = Best{epoch - 1, parameters_};
    double loss = 0;
    for (const std::size_t i : order_of_batches(batches_.size(), plan_.seed, event.epoch)) {
      const double part = static_cast<double>(std::ssize(batches_[i].labelled));
      loss += part * step(batches_[i], event.rate).value;
    }
    event.loss = loss / static_cast<double>(std::ssize(data_.train));
    evaluate(event, true);
    judge(event);
    event.last = last = stopped_ || epoch == plan_.epochs;
    if (last && plan_.keeps_best() && best_ && progress_.stale > 0) {
      go_back(event);
    } else if (last) {
      evaluate(event, false);
    }
    event.usage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (on_epoch) on_epoch(event);
  }
}

PlainLoss PlainTrainer::step(Batch& batch, double rate) {
  batch.model.set_pass(passes_++);
  const Matrix z = batch.model.forward(batch.x, Pass::kTraining);
  PlainLoss loss = kind_of(plan_.objective).plain(z, batch.y, batch.labelled, loss_);
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

void PlainTrainer::go_back(EpochEvent& event) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].values = best_->parameters[i].values;
  EpochEvent of_best;
  of_best.epoch = event.epoch;
  for (const bool due : {true, false}) evaluate(of_best, due);
  event.of_epoch = best_->epoch;
  event.of_best = std::move(of_best.readings);
}

void PlainTrainer::evaluate(EpochEvent& event, bool due) {
  std::optional<Matrix> z;
  for (const Revealed& what : plan_.metrics) {
    if (is_evaluated(plan_, what, event.epoch) != due) continue;
    if (!z) z = predictions();
    const Rows rows = positions(data_.nodes(what.part), views_.whole.rows.back());
    Measured measured = plain_metric(what, *z, y_of_subjects_, rows, {data_.unit, plan_.objective, loss_});
    event.readings.push_back({what, measured.value, std::move(measured.table)});
  }
}

bool PlainTrainer::is_better(const Judged& judged, const Progress& progress, const EpochEvent& event) const {
  return progress.is_bettered_by(judged, judged_by(plan_, judged, event).value());
}

void PlainTrainer::judge(const EpochEvent& event) {
  const auto is_seen = [&](const Judged& judged) {
    const std::optional<std::size_t> metric = judged_metric(plan_, judged);
    return !judged.metric || (metric && is_evaluated(plan_, plan_.metrics[*metric], event.epoch));
  };
  if (plan_.stopping && is_seen(plan_.stopping->judged)) {
    const Judged& judged = plan_.stopping->judged;
    const bool better = is_better(judged, progress_, event);
    stopped_ = progress_.is_stale(judged, better, judged_by(plan_, judged, event));
    if (better && plan_.keeps_best()) best_ = judged.metric ? Best{event.epoch, parameters_} : *before_;
  }
  if (plan_.plateau && is_seen(plan_.plateau->judged)) {
    const Judged& judged = plan_.plateau->judged;
    const bool better = is_better(judged, plateau_, event);
    if (!plateau_.is_stale(judged, better, judged_by(plan_, judged, event))) return;
    ++reductions_;
    plateau_.stale = 0;
  }
}

}  // namespace tacit::gnn
