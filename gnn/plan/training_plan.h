// TrainingPlan — the settings of a training: model, optimiser, ring, ranges, checkpoints and
// reveals.
//
// The plan is public and equal at every rank.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gnn/arithmetic/ranges.h"
#include "gnn/loss/class_weights.h"
#include "gnn/loss/losses.h"
#include "gnn/metric/revealed.h"
#include "gnn/optimiser/optimisers.h"
#include "gnn/optimiser/rate_schedule.h"
#include "gnn/plan/early_stopping.h"
#include "gnn/plan/privacy_settings.h"
#include "gnn/settings/model_spec.h"
#include "gnn/settings/setting_visitor.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

// The algorithm that opens a secret value to all parties (net/collectives/all_reduce.h). With two
// parties, all algorithms send the same number of bytes.
enum class Openings {
  kBySize,    // direct for small openings, two-phase for large ones: known before a run, and usually right
  kDirect,    // the fewest rounds
  kTwoPhase,  // the fewest bytes
  kMeasured,  // the faster one on the links at hand, measured before each session
};
inline constexpr WordTable<Openings, 4> kOpenings = {{{Openings::kBySize, "by-size"},
                                                      {Openings::kDirect, "direct"},
                                                      {Openings::kTwoPhase, "two-phase"},
                                                      {Openings::kMeasured, "measured"}}};
std::string_view word_of(Openings openings);

// The source of the correlated randomness of a session on shares (mpc/correlations/correlations.h).
enum class Correlations {
  kDealer,              // a further rank deals it
  kPairwise,            // the parties make it among themselves, pair by pair
  kPairwiseSoftSpoken,  // the same, with fewer assumptions and more bytes
  kNone,                // a training that computes nothing on shares: TrainingMode::kAggregate
};
inline constexpr WordTable<Correlations, 4> kCorrelations = {
    {{Correlations::kDealer, "dealer"},
     {Correlations::kPairwise, "pairwise"},
     {Correlations::kPairwiseSoftSpoken, "pairwise-softspoken"},
     {Correlations::kNone, "none"}}};
constexpr bool is_pairwise(Correlations from) {
  return from == Correlations::kPairwise || from == Correlations::kPairwiseSoftSpoken;
}
std::string_view word_of(Correlations correlations);

// How the parties compute.
enum class TrainingMode {
  kShares,     // on shares: no party sees a gradient, or an unrevealed value of the model
  kAggregate,  // each party on its own records, in the clear; sums with noise are opened (aggregate/aggregate_trainer.h)
};
inline constexpr WordTable<TrainingMode, 2> kTrainingModes = {
    {{TrainingMode::kShares, "shares"}, {TrainingMode::kAggregate, "aggregate"}}};

inline constexpr std::size_t kMostMetrics = 16;
inline constexpr std::int64_t kMostNamedClasses = 100;

struct TrainingPlan {
  ModelSpec model;
  TrainingMode mode = TrainingMode::kShares;
  // No part of describe(), since a job says it beside the number of parties. All ranks of a session have the same one; the
  // sessions of a run, and predictions, may have others.
  Correlations correlations = Correlations::kDealer;
  std::optional<PrivacySettings> privacy;
  mpc::Format top{64, 13};  // ring and fraction bits
  Ranges ranges;
  Objective objective = Objective::kSquaredError;
  ClassWeights class_weights;
  double label_smoothing = 0;
  OptimiserOptions optimiser;
  RateSchedule rate;
  std::optional<double> clip;  // limit for each element of the loss' gradient by the parameters
  std::int64_t epochs = 100;
  std::int64_t batch = 0;  // labelled nodes in a step; 0: all labelled nodes
  std::uint64_t seed = 1;  // source of initial weights, dropout and the order of batches
  Openings openings = Openings::kBySize;
  std::optional<EarlyStopping> stopping;
  std::optional<Plateau> plateau;

  // Epochs between two audits of the range watch (mpc/levels/range_audit.h). 0 turns the range
  // watch off. An audit also precedes every checkpoint, and every reveal at an evaluation or at the
  // end.
  std::int64_t audit_every = 1;
  std::int64_t checkpoint_every = 0;  // epochs between checkpoints, besides the last epoch; 0: no checkpoints
  std::int64_t checkpoints_kept = 2;  // at least
  std::int64_t evaluate_every = 0;    // epochs between evaluations; 0: after the last epoch alone

  bool aggregates() const { return mode == TrainingMode::kAggregate; }
  bool has_dealer() const { return !aggregates() && correlations == Correlations::kDealer; }
  bool is_pairwise() const { return !aggregates() && gnn::is_pairwise(correlations); }
  mpc::CorrelationsFrom correlations_from() const {
    if (!is_pairwise()) return mpc::CorrelationsFrom::kDealer;
    return correlations == Correlations::kPairwise ? mpc::CorrelationsFrom::kAheadByFerret
                                                   : mpc::CorrelationsFrom::kAheadBySoftSpoken;
  }
  bool keeps_best() const { return stopping && stopping->keep_best; }

  // Every reveal of a training. A reveal without an audience does not happen.
  std::optional<mpc::To> loss_to = mpc::To::everyone();  // training loss, in every epoch
  std::vector<Revealed> metrics;                         // metrics, at every evaluation
  std::optional<mpc::To> model_to, predictions_to;       // results, at the end
  bool fold_scaling = false;                             // into the model, before it is revealed (folded_model.h)
  std::optional<mpc::To> probabilities_to;               // of each class, at the end
  std::int64_t named_classes = 1;                        // in a prediction, the likeliest first

  // Visits the tables [model], [training], [privacy], [ring], [ranges], [reveal], [checkpoints] and [audit].
  // Some defaults depend on `classes`, the number of classes of the labels; 0: the labels are
  // targets. `class_names`: the names of the classes, if the job has any. `links`: the job learns links.
  void describe(SettingVisitor& visitor, std::int64_t classes, std::span<const std::string> class_names = {},
                bool links = false, const std::function<void(SettingVisitor&)>& more_of_privacy = {});

 private:
  void describe_training(SettingVisitor& visitor, std::int64_t classes, std::span<const std::string> class_names) {
    visitor.word({"mode",
                  "how the parties compute: on shares; or each on its own records, so that every step reveals a sum of "
                  "clipped gradients and noise"},
                 mode, kTrainingModes);
    visitor.whole({"epochs", "passes over the labelled nodes"}, epochs, 1, kMostEpochs);
    visitor.whole({"seed", "the source of initial weights, dropout and the order of batches"}, seed, 0, kMostSeed);
    if (!visitor.has("loss", true)) objective = default_loss(classes > 0);
    visitor.word({"loss",
                  "the loss that training minimises; by default cross-entropy for classes and mse for targets; "
                  "logistic is for two "
                  "classes of a model with one output",
                  Scope::kModel},
                 objective, kLosses);
    class_weights.describe(visitor);
    if (visitor.has("label_smoothing", label_smoothing > 0)) {
      visitor.real({"label_smoothing", "the part of each label that is divided evenly among all classes"},
                   label_smoothing, {.least = 0, .most = 1, .without_most = true});
    }
    visitor.whole({"batch", "labelled nodes in a step; 0: all"}, batch, 0, kMostNodes);
    visitor.whole({"evaluate_every", "epochs between two evaluations of the metrics; 0: after the last epoch alone"},
                  evaluate_every, 0, kMostEpochs);
    visitor.real({"clip",
                  "each element of the gradient of a batch is cut at this size; it bounds the influence of no "
                  "node and gives no differential privacy"},
                 clip, {.least = 1e-6, .most = 1 << 20});
    visitor.enter("optimiser", "kind");
    gnn::describe(optimiser, rate.initial, visitor);
    visitor.leave();
    visitor.table("schedule", rate, "kind");
    if (visitor.has("stopping", stopping.has_value())) {
      if (!stopping) stopping.emplace();
      visitor.enter("stopping");
      stopping->describe(visitor, class_names);
      visitor.leave();
    }
    if (visitor.has("plateau", plateau.has_value())) {
      if (!plateau) plateau.emplace();
      visitor.enter("plateau");
      plateau->describe(visitor, class_names);
      visitor.leave();
    }
  }
  void describe_reveals(SettingVisitor& visitor, std::int64_t classes, std::span<const std::string> class_names);

  static constexpr std::int64_t kMostEpochs = 1'000'000'000, kMostNodes = std::int64_t{1} << 40;
  static constexpr std::int64_t kMostSeed = std::int64_t{1} << 40;  // a number of JSON holds it exactly
};

// Epochs between two evaluations of the metric; 0: after the last epoch alone.
std::int64_t period_of(const TrainingPlan& plan, const Revealed& what);
// True if the metric is evaluated after this epoch, besides the last one.
bool is_due(const TrainingPlan& plan, const Revealed& what, std::int64_t epoch);
// True if the metric is evaluated after this epoch at once. The last epoch evaluates all metrics at once if any is due. If
// the best model is kept, the last epoch first evaluates the due metrics and the judged one, and then the other metrics of
// the result.
bool is_evaluated(const TrainingPlan& plan, const Revealed& what, std::int64_t epoch);
// True if a checkpoint is due after this epoch, besides the last one.
bool is_checkpoint_due(const TrainingPlan& plan, std::int64_t epoch);
// True if the range watch's answer and the loss of this epoch are revealed beside openings of the next epoch, two rounds less,
// instead of at its end. False if the epoch is the last one or ends with a checkpoint or an evaluation, or if the loss decides
// about stopping or the rate.
bool tells_with_next(const TrainingPlan& plan, std::int64_t epoch);
// True if early stopping or a plateau judges the training loss.
bool judges_loss(const TrainingPlan& plan);
// The index of the judged metric among the plan's metrics. The metric is revealed to rank 0. If no metric has exactly the
// class, average and bins of `judged`, this is the first metric that agrees with the stated ones. Returns nothing for the
// training loss, or if no metric agrees.
std::optional<std::size_t> judged_metric(const TrainingPlan& plan, const Judged& judged);
// The rate of an epoch, after `reductions` reductions on plateaus.
double rate_of(const TrainingPlan& plan, std::int64_t epoch, std::int64_t reductions);

// Validates the plan. Throws SettingError for a setting beyond its limits and for a conflict
// between two settings.
void check(const TrainingPlan& plan);
// The same, and checks that the model fits `inputs` columns of features.
void check(const TrainingPlan& plan, std::int64_t inputs);

}  // namespace tacit::gnn
