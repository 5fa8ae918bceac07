#include "gnn/train/judging.h"

#include "mpc/protocols/decide.h"

namespace tacit::gnn {

std::optional<double> judged_by(const TrainingPlan& plan, const Judged& judged, const EpochEvent& event) {
  if (!judged.metric) return event.loss;
  const std::optional<std::size_t> metric = judged_metric(plan, judged);
  for (const EpochEvent::Reading& reading : event.readings) {
    if (metric && reading.what == plan.metrics[*metric]) return reading.value;
  }
  return std::nullopt;
}

bool Judging::judge(const EpochEvent& event) {
  bool improved = false;
  if (plan_.stopping && is_evaluated(plan_.stopping->judged, event.epoch)) {
    const Judged& judged = plan_.stopping->judged;
    improved = is_better(judged, progress_, event, "early stopping: whether it was better");
    stopped_ = progress_.is_stale(judged, improved, judged_by(plan_, judged, event));
  }
  if (plan_.plateau && is_evaluated(plan_.plateau->judged, event.epoch)) {
    const Judged& judged = plan_.plateau->judged;
    const bool better = is_better(judged, plateau_, event, "learning rate: whether it was better");
    if (plateau_.is_stale(judged, better, judged_by(plan_, judged, event))) {
      ++reductions_;
      plateau_.stale = 0;
    }
  }
  return improved;
}

bool Judging::is_evaluated(const Judged& judged, std::int64_t epoch) const {
  if (!judged.metric) return true;
  const std::optional<std::size_t> metric = judged_metric(plan_, judged);
  return metric && gnn::is_evaluated(plan_, plan_.metrics[*metric], epoch);
}

bool Judging::is_better(const Judged& judged, const Progress& progress, const EpochEvent& event, const char* reason) {
  session_.begin_part("early stopping");
  const std::optional<double> value = judged_by(plan_, judged, event);
  return mpc::decide(
      session_, [&] { return progress.is_bettered_by(judged, value.value()); }, reason);
}

void Judging::save_to(TrainingState& state) const {
  state.progress = progress_;
  state.plateau = plateau_;
  state.reductions = reductions_;
}

void Judging::restore(const TrainingState& state) {
  progress_ = state.progress;
  plateau_ = state.plateau;
  reductions_ = state.reductions;
  stopped_ = plan_.stopping && progress_.stale >= plan_.stopping->judged.patience;
  if (stopped_ && state.planned_epochs > 0 && plan_.epochs > state.planned_epochs) {
    stopped_ = false;
    progress_.stale = 1;  // not 0: the model of the last number is not the best one
  }
}

}  // namespace tacit::gnn
