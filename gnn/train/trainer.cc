#include "gnn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/clipping.h"
#include "gnn/arithmetic/likeliest.h"
#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/metric/countable.h"
#include "gnn/metric/divergence.h"
#include "gnn/train/batches.h"
#include "gnn/train/common_data.h"
#include "gnn/train/epoch_meter.h"
#include "gnn/train/least_settings.h"
#include "mpc/protocols/compare_transcripts.h"

namespace tacit::gnn {

namespace {

constexpr const char* kOfBest = " of the best model";  // ends the names of kept shares

std::string name_and_audience(const Revealed& what) { return fmt::format("{} to {}", name_of(what), what.to.party); }

std::unique_ptr<PrivateSteps> private_steps(const mpc::Session& session, const TrainingPlan& plan, SecretGraph& graph) {
  if (!graph.records) return nullptr;
  return std::make_unique<PrivateSteps>(session, plan, std::move(*graph.records));
}

// The indices of the plan's metrics for which the condition holds.
template <typename Condition>
std::vector<std::size_t> metrics_of(const TrainingPlan& plan, const Condition& condition) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
    if (condition(plan.metrics[i])) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace

std::vector<std::string> revealed_once_names(const TrainingPlan& plan) {
  std::vector<std::string> names;
  if (plan.loss_to) names.emplace_back(kTrainingLossReason);
  for (const Revealed& what : plan.metrics) names.push_back(name_of(what));
  if (plan.keeps_best()) {
    for (const Revealed& what : plan.metrics) names.push_back(name_of(what) + kOfBest);
  }
  for (const std::string& name : names_of_predictions(plan)) names.push_back(name);
  for (const std::string& name : names_of_folded(plan)) names.push_back(name);
  return names;
}

Trainer::Trainer(mpc::Session& session, const TrainingPlan& plan, SecretGraph graph)
    : session_(session),
      plan_(plan),
      graph_(std::move(graph)),
      private_(private_steps(session, plan, graph_)),
      judging_(session, plan_),
      audit_(plan.audit_every == 0 ? nullptr : graph_.audit),
      arithmetic_(session, plan.top, private_ ? private_->ranges() : plan.ranges),
      optimiser_(make_optimiser(plan.optimiser)) {
  plan_.ranges = arithmetic_.ranges();
  session.begin_part("preparing the model");
  if (plan.audit_every > 0 && !audit_) audit_ = std::make_shared<mpc::RangeAudit>(session, kWatchedGroups);
  arithmetic_.watch_with(audit_.get());
  arithmetic_.begin_group(Watched::kTargets);
  const std::int64_t inputs = graph_.x.shape().cols;
  check(plan_, inputs);
  check_outputs(plan.model, inputs, graph_.y.shape().cols);
  for (const NamedMatrix& initial : initial_parameters(plan.model, inputs, plan.seed)) {
    // In the top ring, since master copies begin with it. A small weight may round to zero.
    const auto values = [&] { return initial.values; };
    parameters_.push_back({share_known(arithmetic_, mpc::shape_of(initial.values), values, Precision::kValue,
                                       plan.ranges.weights, initial.name)
                               .certain(),
                           {}});
  }
  // Batches that read all nodes use this model as well.
  std::shared_ptr<Model> whole_model;
  if (!graph_.blocks) whole_model = std::make_shared<Model>(plan.model, inputs, graph_.whole, plan.seed);
  LossOptions loss{{}, plan.class_weights.largest(), plan.label_smoothing};
  if (plan.class_weights.any()) {
    const Tensor y = graph_.train.pick(arithmetic_, graph_.y, graph_.y.bound(), graph_.y.name());
    loss.class_weights = shared_class_weights(arithmetic_, plan.class_weights, y);
  }
  LossOptions of_batch = loss;
  of_batch.valued = plan.loss_to.has_value();
  for (const SecretGraph::Batch& batch : graph_.batches)
    of_batch.rows_in_all += batch.labelled.count() * batch.stands_for;
  for (const SecretGraph::Batch& batch : graph_.batches) {
    if (private_) break;
    const Tensor y = rows_of(arithmetic_, graph_.y, positions(batch.view.outputs(), graph_.whole.outputs()));
    TACIT_CHECK(batch.stands_for == 1 || !session.computes());
    batches_.push_back({rows_of(arithmetic_, graph_.x, batch.view.inputs()),
                        whole_model && batch.view.reads_as_much_as(graph_.whole)
                            ? whole_model
                            : std::make_shared<Model>(plan.model, inputs, batch.view, plan.seed),
                        kind_of(plan.objective).make(arithmetic_, y, batch.labelled, of_batch), batch.stands_for});
  }
  if (whole_model && (!plan.metrics.empty() || tells_predictions(plan)) && !private_) {
    std::vector<DataReader> readers;
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      readers.push_back({batches_[i].model.get(), &graph_.batches[i].view, &batches_[i].x});
    }
    share_rows_of_data(arithmetic_, plan_.model, {whole_model.get(), &graph_.whole, &graph_.x}, readers,
                       graph_.batches_apart);
  }
  if (graph_.blocks) {
    for (const auto& [part, views] : graph_.blocks->measured) {
      measured_.insert_or_assign(part, NodeOutputs(arithmetic_, plan_, graph_.x, views));
    }
    of_all_ = NodeOutputs(arithmetic_, plan_, graph_.x, graph_.blocks->all);
  } else {
    of_all_ = NodeOutputs(graph_.x, whole_model);
  }
  std::int64_t largest = 0;
  for (const SecretGraph::Batch& batch : graph_.batches) largest = std::max(largest, batch.labelled.count());
  if (!private_) gradient_scale_ = gradient_scale(plan, largest, graph_.y.shape().cols);
  expect_effect(plan, private_ ? private_->scale() : gradient_scale_.scale);
  std::optional<ErrorSum::Unit> unit;
  if (graph_.target_unit) unit = graph_.target_unit->common(arithmetic_);
  for (const Revealed& what : plan.metrics) {
    const Selection& nodes = graph_.nodes(what.part);
    expect_countable(what, nodes.count());
    const Tensor y = nodes.pick(arithmetic_, graph_.y, graph_.y.bound(), graph_.y.name());
    measures_.push_back(make_measure(arithmetic_, what, y, {plan.objective, loss, unit}));
  }
  graph_.y = {};  // batches and measures have their own rows of y
  if (graph_.blocks) graph_.x = {};
  note_begin();
}

void Trainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  note_begin();
  if (epochs_ >= plan_.epochs || judging_.stopped()) return tell_again(on_epoch);
  settle_parameters();
  session_.begin_part(kBetweenEpochs);
  on_epoch_ = on_epoch;
  while (epochs_ < plan_.epochs && !judging_.stopped()) {
    const std::int64_t epoch = epochs_ + 1;
    const std::optional<EpochEvent> event = run_epoch(epoch);
    if (++epochs_here_ == 1) after_first_ = session_.profile();
    epochs_ = epoch;
    if (event && on_epoch_) on_epoch_(*event);
    if (keeps(epoch)) checkpoint(epoch);
    if (between_epochs_) between_epochs_(epoch);
  }
  TACIT_CHECK(!untold_);
  session_.set_turn("");
  session_.end_part();
  at_end_ = session_.profile();
}

// Every step begins with parameters in the ring in which a step leaves them, also the first one, and one after a restore.
void Trainer::settle_parameters() {
  optimiser_->begin(arithmetic_, parameters());
  if (private_) return;
  Tensors values;
  for (const Parameter& parameter : parameters_) values.push_back(parameter.value);
  values = in_ring_of_parameters(arithmetic_, std::move(values));
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].value = values[i];
  narrow_factors();
}

void Trainer::narrow_factors() {
  if (private_) return;
  narrow(parameters_, graph_.parameter_rings);
}

// Reports the results of a training that ended in an earlier session, for a caller that did not see them then.
void Trainer::tell_again(const std::function<void(const EpochEvent&)>& on_epoch) {
  EpochEvent event;
  event.epoch = epochs_;
  event.last = true;
  const EpochMeter meter(session_, traffic_);
  if (uses_best()) {
    tell_best(event);
  } else {
    evaluate(event, metrics_of(plan_, [](const Revealed&) { return true; }));
  }
  meter.tell(event);
  if (on_epoch) on_epoch(event);
}

// Values of the best model that this session has revealed already are not revealed again.
void Trainer::tell_best(EpochEvent& event) {
  event.of_epoch = best_->epoch;
  const std::vector<std::string>& known = best_->told.names;
  const auto is_unknown = [&](const Revealed& what) {
    return std::find(known.begin(), known.end(), name_and_audience(what)) == known.end();
  };
  std::vector<EpochEvent::Reading> own = std::move(event.readings);
  event.readings.clear();
  evaluate(event, metrics_of(plan_, is_unknown));
  event.of_best = best_->told.readings;
  event.of_best.insert(event.of_best.end(), event.readings.begin(), event.readings.end());
  event.readings = std::move(own);
}

std::optional<EpochEvent> Trainer::run_epoch(std::int64_t epoch) {
  session_.set_turn(fmt::format("epoch {}", epoch));
  const EpochMeter meter(session_, traffic_);
  EpochEvent event;
  event.epoch = epoch;
  event.rate = rate_of(plan_, epoch, judging_.reductions());
  if (plan_.keeps_best() && !plan_.stopping->judged.metric) {
    before_ = as_best(epoch - 1);
  }
  const std::optional<EpochLoss> loss = train(epoch, event.rate);
  // Every step opens the errors of the outputs, and then the gradients by weights, which are narrower than the top ring for
  // all ranges that a plan may declare: the two rounds that the epoch before needed.
  TACIT_CHECK(!untold_);
  if (tells_with_next(plan_, epoch) && (loss || is_audited(epoch))) {
    UntoldEpoch untold = begin_telling(loss, epoch);
    session_.begin_part(kBetweenEpochs);
    meter.tell(event);
    untold.event = std::move(event);
    tell_with_next(std::move(untold));
    return std::nullopt;
  }
  tell_at_once(loss, event);
  const auto now = [&](const Revealed& what) { return gnn::is_evaluated(plan_, what, epoch); };
  evaluate(event, metrics_of(plan_, now));
  judge(event);
  event.last = ended_ = judging_.stopped() || epoch == plan_.epochs;
  if (event.last && !is_audited(epoch)) audit(epoch);
  if (event.last && uses_best()) {
    tell_best(event);
  } else if (event.last) {
    evaluate(event, metrics_of(plan_, [&](const Revealed& what) { return !now(what); }));
  }
  if (keeps(epoch) && !loss) {
    // A reveal of the loss would have compared the transcripts. A checkpoint must not depend on an opening that was not
    // compared.
    session_.begin_part(kCheckpointPart);
    mpc::compare_transcripts(session_);
  }
  session_.begin_part(kBetweenEpochs);
  meter.tell(event);
  return event;
}

// Returns the loss if it is to be revealed.
std::optional<EpochLoss> Trainer::train(std::int64_t epoch, double rate) {
  EpochLossSum sum;
  for (std::size_t i = 0; private_ && i < graph_.batches.size(); ++i) private_step(rate);
  for (const std::size_t i : order_of_batches(batches_.size(), plan_.seed, epoch)) {
    Batch& batch = batches_[i];
    const Tensor total = step(batch, rate);
    if (plan_.loss_to) sum.add(*batch.loss, total, batch.stands_for);
  }
  std::optional<EpochLoss> loss;
  if (plan_.loss_to) {
    session_.begin_part("loss");
    loss = sum.of_all(session_);
  }
  // The next step multiplies by the weights, so they are masked in the round of the range watch.
  if (is_audited(epoch) && epoch < plan_.epochs) {
    arithmetic_.mask_with_next(to_mask(arithmetic_, parameters_));
  }
  return loss;
}

Tensor Trainer::step(Batch& batch, double rate) {
  session_.begin_part("masking the weights");
  mask(arithmetic_, parameters_);
  lend(parameters_, *batch.model);
  batch.model->set_pass(passes_++);
  arithmetic_.begin_group(Watched::kActivations);
  const Tensor z = batch.model->forward(arithmetic_, batch.x, Pass::kTraining);
  session_.begin_part("loss");
  arithmetic_.begin_group(Watched::kLogits);
  const auto wanted = plan_.loss_to ? Loss::Value::kWanted : Loss::Value::kNotWanted;
  const Loss::Result result = batch.loss->of(arithmetic_, z, wanted);
  arithmetic_.begin_group(Watched::kGradients);
  const int halvings = gradient_scale_.halvings;
  const Arithmetic::Scaling seen{.least_ring = arithmetic_.ring_to_watch(plan_.ranges.gradients)};
  batch.model->backward(arithmetic_, halvings == 0
                                         ? result.gradient
                                         : arithmetic_.scaled(result.gradient, std::ldexp(1.0, -halvings), seen));
  session_.begin_part("loss");
  const Tensor total = result.total ? result.total() : Tensor();
  session_.begin_part("optimiser");
  arithmetic_.begin_group(Watched::kWeightGradients);
  std::vector<Tensor> gradients;
  for (const Parameter* parameter : batch.model->parameters()) gradients.push_back(parameter->gradient);
  const double scale = gradient_scale_.scale;
  if (plan_.clip && *plan_.clip * scale < plan_.ranges.weight_gradients) {
    // Clips in a ring so wide that an optimiser can add to the result.
    gradients = clipped(arithmetic_, gradients, *plan_.clip * scale, plan_.ranges.weight_gradients);
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].gradient = gradients[i];
  batch.model->forget();
  optimiser_->step(arithmetic_, parameters(), {rate, scale});
  narrow_factors();
  return total;
}

void Trainer::private_step(double rate) {
  ++passes_;
  private_->take_gradients(arithmetic_, parameters_);
  session_.begin_part("optimiser");
  optimiser_->step(arithmetic_, parameters(), {rate, private_->scale(), true});
}

void Trainer::evaluate(EpochEvent& event, const std::vector<std::size_t>& metrics) {
  if (metrics.empty()) return;
  session_.begin_part("evaluation");
  const std::vector<Tensor> numbers = measured(metrics);
  audit(event.epoch);
  session_.begin_part("evaluation");
  if (evaluated_after_ != event.epoch) evaluated_.clear();
  evaluated_after_ = event.epoch;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Revealed& what = plan_.metrics[metrics[i]];
    const Tensor told = share_of(event, what, numbers[i]);
    if (once_ != nullptr) evaluated_.emplace_back(event.of_epoch ? name_of(what) + kOfBest : name_of(what), told);
    const mpc::Public seen = reveal(arithmetic_, told, what.to, name_of(what));
    session_.note_decision(kDivergenceGuard);
    session_.output([&](const mpc::PublicReader& read) {
      if (!read.seen(seen)) return;
      judged_among(what.to, [&] {
        Measured measured = measures_[metrics[i]]->read(read(seen));
        event.readings.push_back({what, measured.value, std::move(measured.table)});
      });
    });
  }
  if (event.of_epoch) return;
  if (told_.epoch != event.epoch) told_ = {event.epoch, {}, {}};
  for (const std::size_t i : metrics) told_.names.push_back(name_and_audience(plan_.metrics[i]));
  told_.readings = event.readings;
}

// The share of a metric that is revealed: the one that an earlier reveal of this model used, if there was one.
Tensor Trainer::share_of(const EpochEvent& event, const Revealed& what, const Tensor& number) {
  const std::string name = name_of(what);
  if (!event.of_epoch) return once(event.epoch, name, [&] { return number; });
  const auto known = best_->metrics.find(name);
  return once(event.epoch, name + kOfBest, [&] { return known == best_->metrics.end() ? number : known->second; });
}

// The same for the model and its predictions.
Tensor Trainer::share_of_result(const std::string& name, const std::function<Tensor()>& compute) {
  return once(epochs_, name, [&] {
    if (!uses_best()) return compute();
    const auto known = best_->results.find(name);
    return known == best_->results.end() ? compute() : known->second;
  });
}

std::vector<Tensor> Trainer::measured(const std::vector<std::size_t>& metrics) {
  std::map<Part, Outputs> of_part;
  if (measured_.empty()) {
    const Tensor z = predictions();
    for (const std::size_t i : metrics) {
      const Part part = plan_.metrics[i].part;
      if (of_part.contains(part)) continue;
      of_part.emplace(part, graph_.nodes(part).pick(arithmetic_, z, z.bound(), z.name()));
    }
  } else {
    mask(arithmetic_, in_use());
    for (auto& [part, nodes] : measured_) {
      const auto is_of_part = [&, its = part](std::size_t i) { return plan_.metrics[i].part == its; };
      if (std::none_of(metrics.begin(), metrics.end(), is_of_part)) continue;
      of_part.emplace(part, nodes.outputs(arithmetic_, in_use()));
    }
  }
  std::vector<Tensor> numbers;
  for (const std::size_t i : metrics) {
    numbers.push_back(measures_[i]->of(arithmetic_, of_part.at(plan_.metrics[i].part)));
  }
  return numbers;
}

void Trainer::judge(const EpochEvent& event) {
  if (!judging_.judge(event) || !plan_.keeps_best()) return;
  // A loss judges the model before the epoch's steps.
  if (plan_.stopping->judged.metric) {
    best_ = as_best(event.epoch);
  } else {
    best_ = std::move(before_);
  }
}

Trainer::Best Trainer::as_best(std::int64_t epoch) const {
  Best best{epoch, {}, {}};
  for (const Parameter& parameter : parameters_) best.parameters.push_back({parameter.value, {}, parameter.narrow});
  if (told_.epoch == epoch) best.told = told_;
  if (evaluated_after_ == epoch) best.metrics = {evaluated_.begin(), evaluated_.end()};
  return best;
}

// True if the training is at its end and its best model is not the last one.
bool Trainer::uses_best() const { return ended_ && best_ && !judging_.last_is_best(); }

const std::vector<Parameter>& Trainer::in_use() const { return uses_best() ? best_->parameters : parameters_; }

bool Trainer::is_audited(std::int64_t epoch) const {
  if (!audit_) return false;
  return is_checkpoint_due(plan_, epoch) || epoch % plan_.audit_every == 0 || epoch == plan_.epochs;
}

// True if a checkpoint follows the current epoch.
bool Trainer::keeps(std::int64_t epoch) const {
  return is_checkpoint_due(plan_, epoch) || (ended_ && plan_.checkpoint_every > 0);
}

bool Trainer::is_kept(std::int64_t epoch) const { return std::find(kept_.begin(), kept_.end(), epoch) != kept_.end(); }

// If a checkpoint holds the state after `epoch`: the share that an earlier reveal used, or else a new share, which is
// kept.
Tensor Trainer::once(std::int64_t epoch, const std::string& name, const std::function<Tensor()>& compute) {
  if (once_ == nullptr || !is_kept(epoch)) return compute();
  if (const std::optional<Tensor> known = once_->find(session_, epoch, name)) return *known;
  const Tensor computed = compute();
  once_->keep(epoch, name, computed);
  return computed;
}

void Trainer::checkpoint(std::int64_t epoch) {
  session_.begin_part(kCheckpointPart);
  if (once_ != nullptr) {
    std::map<std::string, Tensor> told;
    if (evaluated_after_ == epoch) told.insert(evaluated_.begin(), evaluated_.end());
    if (best_ && best_->epoch != epoch) {
      for (const auto& [name, share] : best_->metrics) told.insert_or_assign(name + kOfBest, share);
    }
    if (best_ && !judging_.last_is_best()) told.insert(best_->results.begin(), best_->results.end());
    for (const auto& [name, share] : told) once_->keep(epoch, name, share);
  }
  if (keep_) keep_(state());
  if (kept_.size() == 2) kept_.erase(kept_.begin());
  kept_.push_back(epoch);
  session_.begin_part(kBetweenEpochs);
}

void Trainer::keep_beginning() {
  TACIT_CHECK(epochs_ == 0);
  session_.begin_part(kCheckpointPart);
  mpc::compare_transcripts(session_);
  checkpoint(0);
  session_.end_part();
}

// All of the session's profile so far was before the epochs.
void Trainer::note_begin() {
  session_.end_part();
  at_begin_ = after_first_ = at_end_ = session_.profile();
  epochs_here_ = 0;
}

TrainingProfile Trainer::profile() const {
  const mpc::Profile& now = session_.profile();
  return {at_begin_, after_first_ - at_begin_, std::max<std::int64_t>(epochs_here_ - 1, 0), at_end_ - after_first_,
          now - at_end_};
}

TrainingState Trainer::state() {
  TrainingState state{epochs_, passes_, {}, optimiser_->state(), {}, first_loss_, graph_.scale};
  for (const Parameter& parameter : parameters_) state.parameters.push_back(parameter.value);
  if (best_) {
    state.best = TrainingState::Best{best_->epoch, {}};
    for (const Parameter& parameter : best_->parameters) state.best->parameters.push_back(parameter.value);
  }
  judging_.save_to(state);
  state.planned_epochs = plan_.epochs;
  return state;
}

// Parameters of a checkpoint. The weights after its last step were not audited, so the range watch sees them again, with the ranges
// of this session.
std::vector<Parameter> Trainer::restored(const Tensors& values) const {
  std::vector<Parameter> parameters;
  for (const Tensor& value : values) {
    const Tensor own = value.within(plan_.ranges.weights).watched_as(Watched::kWeights);
    parameters.push_back({private_ ? own.certain() : own, {}});
  }
  return parameters;
}

void Trainer::restore(TrainingState state) {
  const auto fits = [&](const std::vector<Tensor>& found) {
    bool all = found.size() == parameters_.size();
    for (std::size_t i = 0; all && i < parameters_.size(); ++i) {
      all = found[i].shape() == parameters_[i].value.shape() &&
            (private_ ? arithmetic_.is_value(found[i])
                      : found[i].format().fraction_bits == arithmetic_.top().fraction_bits);
    }
    return all;
  };
  if (!fits(state.parameters) || (state.best && !fits(state.best->parameters)))
    throw ConfigError("the state belongs to another model; resume with the job that saved it");
  optimiser_->restore(std::move(state.optimiser), parameters());
  parameters_ = restored(state.parameters);
  epochs_ = clean_until_ = state.epochs;
  passes_ = state.training_passes;
  judging_.restore(state);
  if (state.best) {
    best_ = Best{state.best->epoch, {}, {}};
    best_->parameters = restored(state.best->parameters);
  }
  ended_ = judging_.stopped() || epochs_ >= plan_.epochs;
  first_loss_ = state.first_loss;
  kept_.assign(1, epochs_);
  if (best_) find_shares_of_best();
  note_begin();
}

// At a checkpoint of the best model's own epoch, the best model's metrics were kept under the names of the epoch's metrics.
void Trainer::find_shares_of_best() {
  if (once_ == nullptr) return;
  session_.begin_part(kCheckpointPart);
  for (const Revealed& what : plan_.metrics) {
    const std::string name = name_of(what);
    std::optional<Tensor> known = once_->find(session_, epochs_, name + kOfBest);
    if (!known && best_->epoch == epochs_) known = once_->find(session_, epochs_, name);
    if (known) best_->metrics.insert_or_assign(name, *known);
  }
  if (judging_.last_is_best()) return;  // the checkpoint's results belong to its last model
  for (const auto& names : {names_of_predictions(plan_), names_of_folded(plan_)}) {
    for (const std::string& name : names) {
      if (const std::optional<Tensor> known = once_->find(session_, epochs_, name))
        best_->results.emplace(name, *known);
    }
  }
}

void Trainer::skip(std::int64_t epochs) {
  TACIT_CHECK(!session_.computes() && epochs >= 0 && (epochs == 0 || epochs_ + epochs < plan_.epochs));
  epochs_ += epochs;
}

std::vector<Parameter*> Trainer::parameters() {
  std::vector<Parameter*> all;
  for (Parameter& parameter : parameters_) all.push_back(&parameter);
  return all;
}

Tensor Trainer::predictions() {
  mask(arithmetic_, in_use());
  return of_all_.outputs(arithmetic_, in_use());
}

void Trainer::audit_news() {
  if (audit_ && audit_->has_news()) audit(epochs_);
}

// The range watch sees weights when they are masked, so it sees the last step's weights only if a later product needed them.
// Masks them otherwise.
void Trainer::audit_model() {
  if (!audit_ || !plan_.model_to) return;
  const std::vector<Parameter>& used = in_use();
  const auto is_watched = [&](const Parameter& parameter) { return arithmetic_.is_watched(parameter.factor()); };
  if (std::any_of(used.begin(), used.end(), is_watched)) {
    session_.begin_part("range watch");
    mask(arithmetic_, used);
  }
  audit_news();
}

std::vector<NamedMatrix> Trainer::reveal_model() {
  audit_model();
  return revealed_model(arithmetic_, plan_, in_use(), graph_.fold,
                        [&](const std::string& name, const auto& compute) { return share_of_result(name, compute); });
}

Predictions Trainer::reveal_predictions() {
  if (tells_predictions(plan_)) session_.begin_part("predicting");
  const auto share_of = [&](const std::string& name, const std::function<Tensor()>& compute) {
    return share_of_result(name, compute);
  };
  return gnn::reveal_predictions(
      arithmetic_, plan_, graph_.target_unit, [&] { return predictions(); }, share_of, [&] { audit(epochs_); });
}

}  // namespace tacit::gnn
