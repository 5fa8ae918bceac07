#include "launcher/job/plans.h"

namespace tacit::launcher {

Plans plans_of(const Job& job) {
  const JobTraining& training = job.training;
  Plans plans;
  plans.data.ownership = job.data.ownership;
  plans.data.classes = job.data.classes;
  plans.data.features = job.preparation.features;
  plans.data.cut = job.preparation.cut;
  plans.data.standardise_targets = job.preparation.targets == JobPreparation::Targets::kStandardise;
  gnn::TrainingPlan& plan = plans.training;
  plan.model = job.model;
  plan.top = {static_cast<int>(job.ring.bits), static_cast<int>(job.ring.fraction_bits)};
  plan.ranges = job.ranges;
  plan.objective = training.loss;
  plan.sgd = training.optimiser.sgd;
  if (training.optimiser.kind == JobOptimiser::Kind::kAdam) plan.adam = training.optimiser.adam;
  plan.rate = training.rate;
  plan.clip = training.clip;
  plan.epochs = training.epochs;
  plan.batch = training.batch;
  plan.openings = job.openings;
  plan.seed = static_cast<std::uint64_t>(training.seed);
  plan.stopping = training.stopping;
  plan.audit_every = job.audit.every;
  plan.checkpoint_every = job.checkpoints.every;
  plan.evaluate_every = training.evaluate_every;
  plan.loss_to = job.reveal.loss;
  plan.metrics = job.reveal.metrics;
  plan.model_to = job.reveal.model;
  plan.predictions_to = job.reveal.predictions;
  return plans;
}

}  // namespace tacit::launcher
