#include "gnn/train/training_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"

namespace tacit::gnn {

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) throw ConfigError("training: " + what);
}

bool reaches_rank_0(const mpc::To& to) { return to == mpc::To::everyone() || to == mpc::To::rank(0); }

void check_stopping(const TrainingPlan& plan) {
  const EarlyStopping& stopping = *plan.stopping;
  expect(stopping.patience >= 1, fmt::format("a patience of {}; at least 1", stopping.patience));
  expect(stopping.least_improvement >= 0,
         fmt::format("a least improvement of {}; at least 0", stopping.least_improvement));
  if (!stopping.metric) {
    expect(plan.loss_to && reaches_rank_0(*plan.loss_to),
           "early stopping judges the training loss, which is not revealed to rank 0; reveal it, or name a metric");
    return;
  }
  const bool seen = std::any_of(plan.metrics.begin(), plan.metrics.end(), [&](const Revealed& what) {
    return what.metric == *stopping.metric && what.part == stopping.part && reaches_rank_0(what.to);
  });
  expect(seen, fmt::format("early stopping judges the {} {}, which is not revealed to rank 0; list it among what is",
                           name_of(stopping.part), name_of(*stopping.metric)));
  expect(plan.evaluate_every > 0, "early stopping by a metric needs one that is evaluated every few epochs");
}

void check_numbers(const TrainingPlan& plan) {
  const auto expect_within = [](double value, double least, double most, const char* name) {
    expect(value >= least && value <= most, fmt::format("{} is {}; at least {}, at most {}", name, value, least, most));
  };
  const auto [ring, fraction] = plan.top;
  expect_within(ring, 32, 64, "the ring's number of bits");
  expect_within(fraction, 8, std::min(20, ring / 3), "the number of fraction bits");
  constexpr double kLargest = 1 << 20;
  expect_within(plan.ranges.features, 1, kLargest, "the range of features");
  expect_within(plan.ranges.weights, 1, kLargest, "the range of weights");
  expect_within(plan.ranges.activations, 1, kLargest, "the range of activations");
  expect_within(plan.ranges.gradients, 1, kLargest, "the range of gradients");
  expect_within(plan.ranges.weight_gradients, 1, kLargest, "the range of weights' gradients");
  expect_within(plan.sgd.momentum, 0, 0.9999, "momentum");
  expect_within(plan.sgd.weight_decay, 0, 1, "weight decay");
  expect(
      !plan.adam || (ring == 64 && fraction <= 14),
      fmt::format("Adam needs a ring of 64 bits and at most 14 fraction bits; the plan has {} and {}", ring, fraction));
  if (plan.clip) expect_within(*plan.clip, 1e-6, kLargest, "what gradients are clipped to");
}

void check_objective(const TrainingPlan& plan) {
  const bool classes = plan.objective == Objective::kCrossEntropy;
  for (const Revealed& what : plan.metrics) {
    expect((what.metric == Metric::kAccuracy) == classes,
           fmt::format("{} is not a metric of {}", name_of(what.metric), classes ? "classes" : "targets"));
  }
}

}  // namespace

void check(const TrainingPlan& plan, std::int64_t inputs) {
  check(plan.model, inputs);
  check(plan.rate);
  check_numbers(plan);
  check_objective(plan);
  expect(plan.epochs >= 1, fmt::format("{} epochs; at least 1", plan.epochs));
  expect(plan.batch >= 0, fmt::format("batches of {} nodes; at least 1, or 0 for all", plan.batch));
  expect(plan.checkpoint_every >= 0 && plan.evaluate_every >= 0 && plan.audit_every >= 0,
         "a number of epochs is negative");
  if (plan.stopping) check_stopping(plan);
}

void check_ranks(const TrainingPlan& plan, int parties) {
  const auto expect_party = [&](const std::optional<mpc::To>& to, std::string_view what) {
    expect(
        !to || (to->party >= -1 && to->party < parties),
        fmt::format("rank {} is to see the {}, but the parties are 0 ... {}", to ? to->party : 0, what, parties - 1));
  };
  expect_party(plan.loss_to, "training loss");
  for (const Revealed& what : plan.metrics) expect_party(what.to, name_of(what.metric));
  expect_party(plan.model_to, "model");
  expect_party(plan.predictions_to, "predictions");
}

}  // namespace tacit::gnn
