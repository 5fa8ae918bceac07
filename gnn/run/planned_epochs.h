// PlannedEpochs — the epochs of a long training that a plan runs: the first ones, one by one; after them, later ones until
// each kind is present; and the last. EpochTally adds up their costs, and extrapolates the costs of all others.
#pragma once

#include <map>
#include <vector>

#include "gnn/run/planned_run.h"

namespace tacit::gnn {

// The stated costs, reveals and decisions of a part of a session. A session only ever adds lines to
// its account, so lines with equal indices in two accounts have the same reason.
struct SessionAccount {
  PlannedRun::Step step;
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;
};

SessionAccount so_far(const mpc::PlanSession& session);

// Scales an account of `parts` epochs or batches to `count` epochs or batches. Exact if all have the
// same cost.
SessionAccount times(SessionAccount whole, std::int64_t parts, std::int64_t count);

// The state in which an epoch leaves the training to the next epoch.
struct LeftToNext {
  bool masked = false;  // masked weights, as an evaluation and the range watch leave them
  bool untold = false;  // the next epoch tells its loss (gnn/train/untold_epoch.h)

  auto operator<=>(const LeftToNext&) const = default;
};

// Epochs of one kind cost the same. The kind depends on the metrics that the epoch evaluates, and on the state in which the
// epoch before left the training.
struct EpochKind {
  std::uint32_t metrics = 0;  // a bit for each metric of the plan, and for the work at each additional period
  LeftToNext begins_with;

  auto operator<=>(const EpochKind&) const = default;
};
using ByEpochKind = std::map<EpochKind, std::int64_t>;

// The metrics of the epochs so far, a bit for each (EpochKind::metrics).
struct EvaluatedMetrics {
  std::uint32_t once = 0, twice = 0;

  void add(std::uint32_t metrics) {
    twice |= once & metrics;
    once |= metrics;
  }
};

class PlannedEpochs {
 public:
  static constexpr std::int64_t kLeast = 6;  // planned one by one: enough for every kind of epoch, and the last

  // Work beside the evaluation of metrics.
  struct Effect {
    bool masks = false;          // the weights are masked after such an epoch
    bool tells_at_once = false;  // such an epoch reveals its loss at its end, and leaves nothing to the next epoch
  };
  struct More {
    std::vector<std::pair<std::int64_t, Effect>> periods;  // in every so-many-th epoch, and in the last one
    Effect always;                                         // the effect of every epoch
  };
  PlannedEpochs(const TrainingPlan& training, std::int64_t batches, std::int64_t most_steps, const More& more);

  std::int64_t left_out() const;
  // The number of epochs that are left out directly after this one.
  std::int64_t left_out_after(std::int64_t epoch) const;
  ByEpochKind left_out_by_kind() const;

  EpochKind kind(std::int64_t epoch) const {
    return {metrics_of(epoch), epoch > 1 ? left_by(epoch - 1) : LeftToNext{}};
  }
  // False for a planned epoch that costs more or less than others of its kind. An optimiser's first steps cost more. The first
  // two epochs and the first evaluation of a metric mask values that stay masked: `evaluated` has the metrics before this epoch.
  // Without a dealer, the second evaluation encrypts some of these masks (mpc/made/kept_products.h). The last epoch masks no weights for
  // a next one, and decides nothing by an evaluation that is not due.
  bool is_like_others(std::int64_t epoch, const EvaluatedMetrics& evaluated) const;
  std::uint32_t metrics_of(std::int64_t epoch) const { return epoch == all_ ? every_metric() : due(epoch); }

 private:
  std::uint32_t every_metric() const { return (1U << periods_.size()) - 1; }
  std::uint32_t due(std::int64_t epoch) const;
  bool evaluates(std::int64_t epoch) const { return metrics_of(epoch) != 0; }
  std::int64_t common(std::int64_t a, std::int64_t b) const;
  std::int64_t next_kind_after(std::int64_t epoch) const;
  ByEpochKind kinds(std::int64_t begin, std::int64_t end) const;
  void add_examples();
  void add(std::int64_t epoch);
  std::int64_t last_planned() const { return later_.empty() ? one_by_one_ : later_.back(); }
  LeftToNext left_by(std::int64_t epoch) const { return left_after(metrics_of(epoch)); }
  LeftToNext left_after(std::uint32_t metrics) const {
    return {always_.masks || (metrics & masking_) != 0, !always_.tells_at_once && (metrics & telling_) == 0};
  }
  bool leaves_the_usual(std::int64_t epoch) const { return left_by(epoch) == left_after(in_every_epoch_); }

  const std::int64_t all_;
  const std::int64_t starting_;        // epochs with an optimiser's starting steps
  const bool keeps_ciphertexts_;       // true without a dealer
  std::vector<std::int64_t> periods_;  // one for each metric, and the additional ones
  std::uint32_t masking_ = 0;          // a bit for each period after which the weights are masked
  std::uint32_t telling_ = 0;          // a bit for each period that makes an epoch reveal its loss at its end
  std::uint32_t in_every_epoch_ = 0;   // a bit for each period of one epoch
  Effect always_;
  std::int64_t cycle_ = 1;  // epochs after which the same metrics are due
  std::int64_t one_by_one_;
  std::vector<std::int64_t> later_;  // empty: every epoch is planned one by one
};

class EpochTally {
 public:
  // `begin`: the account before the first epoch. The epochs must outlive it.
  EpochTally(const PlannedEpochs& epochs, SessionAccount begin) : epochs_(epochs), before_(std::move(begin)) {}

  // Adds a planned epoch to the run. `now`: the account after it.
  void take(std::int64_t epoch, const SessionAccount& now, PlannedRun& run);
  // Adds the epochs that were left out, and the results. `all`: the account at the session's end.
  void finish(SessionAccount all, PlannedRun& run) const;

 private:
  const PlannedEpochs& epochs_;
  SessionAccount before_;
  std::map<EpochKind, SessionAccount> sums_;
  std::map<EpochKind, std::vector<std::size_t>> examples_;  // indices of the planned epochs of each kind
  EvaluatedMetrics evaluated_;
};

}  // namespace tacit::gnn
