#include "gnn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/loss/cross_entropy.h"
#include "gnn/loss/mean_squared_error.h"
#include "gnn/train/divergence.h"

namespace tacit::gnn {

namespace {

Tensor rows_of(Arithmetic& arithmetic, const Tensor& x, const Rows& rows) {
  const std::int64_t all = x.shape().rows;
  return std::ssize(rows) == all ? x : arithmetic.matmul(picking(rows, all), x, x.bound(), x.name());
}

// Of predictions for the rows that the view ends with.
std::unique_ptr<Loss> loss_of(Objective objective, Arithmetic& arithmetic, const SecretGraph& graph) {
  const Tensor y = rows_of(arithmetic, graph.y, graph.training.outputs());
  const Rows labelled = positions(graph.split.train, graph.training.outputs());
  if (objective == Objective::kCrossEntropy) return std::make_unique<CrossEntropy>(arithmetic, y, labelled);
  return std::make_unique<MeanSquaredError>(arithmetic, y, labelled);
}

std::unique_ptr<Optimiser> optimiser_of(const TrainingPlan& plan) {
  if (plan.adam) return std::make_unique<Adam>(*plan.adam);
  return std::make_unique<Sgd>(plan.sgd);
}

}  // namespace

const Rows& rows_of(const Split& split, Part part) {
  return part == Part::kTrain ? split.train : part == Part::kValidation ? split.validation : split.test;
}

std::string_view name_of(Part part) {
  return part == Part::kTrain ? "train" : part == Part::kValidation ? "validation" : "test";
}

Trainer::Trainer(mpc::Session& session, const TrainingPlan& plan, SecretGraph graph)
    : session_(session),
      plan_(plan),
      graph_(std::move(graph)),
      arithmetic_(session, plan.top, plan.ranges),
      x_(rows_of(arithmetic_, graph_.x, graph_.training.inputs())),
      model_(plan.model, graph_.x.shape().cols, graph_.training, plan.seed),
      whole_model_(plan.model, graph_.x.shape().cols, graph_.whole, plan.seed),
      loss_(loss_of(plan.objective, arithmetic_, graph_)),
      optimiser_(optimiser_of(plan)) {
  const std::vector<NamedMatrix> initial = initial_parameters(plan.model, graph_.x.shape().cols, plan.seed);
  const std::vector<Parameter*> parameters = model_.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i]->value =
        Tensor(session.constant(initial[i].values, plan.top, initial[i].name), plan.ranges.weights, initial[i].name);
  }
  for (const Revealed& what : plan.metrics) {
    measures_.emplace_back(arithmetic_, what.metric, graph_.y, rows_of(graph_.split, what.part), graph_.y_unit);
  }
}

void Trainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  for (std::int64_t epoch = epochs_ + 1; epoch <= plan_.epochs; ++epoch) {
    session_.set_step(fmt::format("epoch {}", epoch));
    const mpc::Cost before = session_.stated();
    EpochEvent event;
    event.epoch = epoch;
    step(event);
    const bool last = epoch == plan_.epochs;
    if (last || (plan_.evaluate_every > 0 && epoch % plan_.evaluate_every == 0)) evaluate(event);
    event.cost = session_.stated() - before;
    epochs_ = epoch;
    if (on_epoch) on_epoch(event);
    if (plan_.checkpoint_every > 0 && (last || epoch % plan_.checkpoint_every == 0)) checkpoint(epoch);
  }
}

void Trainer::checkpoint(std::int64_t epoch) {
  if (keep_) keep_(state());
  if (kept_.size() == 2) kept_.erase(kept_.begin());
  kept_.push_back(epoch);
}

TrainingState Trainer::state() {
  TrainingState state{epochs_, passes_, {}, optimiser_->state(), first_loss_};
  for (const Parameter* parameter : model_.parameters()) state.parameters.push_back(parameter->value);
  return state;
}

void Trainer::restore(TrainingState state) {
  const std::vector<Parameter*> parameters = model_.parameters();
  bool fits = state.parameters.size() == parameters.size();
  for (std::size_t i = 0; fits && i < parameters.size(); ++i) {
    fits = state.parameters[i].shape() == parameters[i]->value.shape() && state.parameters[i].format() == plan_.top;
  }
  if (!fits) throw ConfigError("the state is that of another model; resume with the job that it was saved in");
  optimiser_->restore(std::move(state.optimiser), parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i]->value = state.parameters[i];
  model_.set_pass(state.training_passes);
  epochs_ = state.epochs;
  passes_ = state.training_passes;
  first_loss_ = state.first_loss;
  kept_.assign(1, epochs_);
}

void Trainer::mask_parameters() {
  std::vector<Tensor> values;
  for (const Parameter* parameter : model_.parameters()) {
    if (parameter->value.shape().rows > 1) values.push_back(parameter->value);  // biases are added, not multiplied
  }
  arithmetic_.mask(values);
}

void Trainer::step(EpochEvent& event) {
  mask_parameters();
  const Tensor z = model_.forward(arithmetic_, x_, Pass::kTraining);
  ++passes_;
  const auto wanted = plan_.loss_to ? Loss::Value::kWanted : Loss::Value::kNotWanted;
  const Loss::Result result = loss_->of(arithmetic_, z, wanted);
  if (plan_.loss_to) reveal_loss(result.total, event);
  model_.backward(arithmetic_, result.gradient);
  optimiser_->step(arithmetic_, model_.parameters(), {plan_.rate, loss_->scale()});
}

void Trainer::reveal_loss(const Tensor& total, EpochEvent& event) {
  const mpc::Public seen = session_.reveal(total.share(), *plan_.loss_to, "training loss");
  session_.output([&](const mpc::PublicReader& read) {
    if (!read.seen(seen)) return;
    event.loss = read(seen)(0, 0) * loss_->loss_per_total();
    if (!first_loss_) first_loss_ = event.loss;
    // This loss judges the weights after the epoch before, and so a checkpoint of that epoch.
    const auto good = std::find_if(kept_.rbegin(), kept_.rend(), [&](auto kept) { return kept + 1 < event.epoch; });
    expect_converging(*event.loss, *first_loss_, event.epoch,
                      good == kept_.rend() ? std::nullopt : std::optional(*good));
  });
}

Tensor Trainer::predictions() {
  mask_parameters();
  if (graph_.training.outputs().size() == graph_.whole.outputs().size())
    return model_.forward(arithmetic_, x_, Pass::kEvaluation);
  const std::vector<Parameter*> trained = model_.parameters(), whole = whole_model_.parameters();
  for (std::size_t i = 0; i < trained.size(); ++i) whole[i]->value = trained[i]->value;
  return whole_model_.forward(arithmetic_, graph_.x, Pass::kEvaluation);
}

void Trainer::evaluate(EpochEvent& event) {
  if (measures_.empty()) return;
  const Tensor z = predictions();
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const Revealed& what = plan_.metrics[i];
    const std::string reason = fmt::format("{} {}", name_of(what.part), name_of(what.metric));
    const mpc::Public seen = session_.reveal(measures_[i].total(arithmetic_, z).share(), what.to, reason);
    session_.output([&](const mpc::PublicReader& read) {
      if (read.seen(seen)) event.readings.push_back({what, measures_[i].reading(read(seen)(0, 0))});
    });
  }
}

}  // namespace tacit::gnn
