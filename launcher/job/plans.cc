#include "launcher/job/plans.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::launcher {

namespace {

[[noreturn]] void unsupported(std::string_view setting, std::string_view instead) {
  throw ConfigError(fmt::format("{}: this version of Tacit cannot do that yet; {}", setting, instead));
}

// What a job may say before gnn/ can do it: refused, never left out.
void expect_supported(const Job& job) {
  const JobTraining& training = job.training;
  if (job.data.ownership.masks.kind != gnn::PartOwnership::Kind::kPublic) {
    unsupported("data.masks", "say \"public\": which nodes are trained on steers the computation");
  }
  using Features = JobPreparation::Features;
  using Targets = JobPreparation::Targets;
  if (job.preparation.features == Features::kRowSum) unsupported("preprocessing.features", "scale the files");
  const bool features = job.preparation.features == Features::kStandardise;
  const bool targets = job.preparation.targets == Targets::kStandardise;
  if (job.data.classes == 0 && features != targets) {
    unsupported("preprocessing", "standardise features and targets, or neither");
  }
  const JobSchedule& schedule = training.schedule;
  if (schedule.kind != JobSchedule::Kind::kConstant || schedule.warm_up > 0) {
    unsupported("training.schedule", "take a constant rate");
  }
  if (training.clip) unsupported("training.clip", "take it out");
  if (training.batch > 0) unsupported("training.batch", "take it out");
  if (training.stopping) unsupported("training.stopping", "take it out");
  if (job.reveal.model) unsupported("reveal.model", "say \"nobody\"");
  if (job.reveal.predictions) unsupported("reveal.predictions", "say \"nobody\"");
}

}  // namespace

Plans plans_of(const Job& job) {
  expect_supported(job);
  const JobTraining& training = job.training;
  Plans plans;
  plans.data.ownership = job.data.ownership;
  plans.data.classes = job.data.classes;
  plans.data.standardise = job.preparation.features == JobPreparation::Features::kStandardise;
  gnn::TrainingPlan& plan = plans.training;
  plan.model = job.model;
  plan.top = {static_cast<int>(job.ring.bits), static_cast<int>(job.ring.fraction_bits)};
  plan.ranges = job.ranges;
  plan.objective = training.loss;
  plan.sgd = training.optimiser.sgd;
  if (training.optimiser.kind == JobOptimiser::Kind::kAdam) plan.adam = training.optimiser.adam;
  plan.rate = training.optimiser.rate;
  plan.epochs = training.epochs;
  plan.seed = static_cast<std::uint64_t>(training.seed);
  plan.loss_to = job.reveal.loss;
  plan.checkpoint_every = job.checkpoints.every;
  plan.evaluate_every = training.evaluate_every;
  plan.metrics = job.reveal.metrics;
  return plans;
}

}  // namespace tacit::launcher
