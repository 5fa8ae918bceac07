// AggregateTrainer — trains a model on the records of several parties with differential privacy (training.mode =
// "aggregate"): every party computes with its own records in the clear, and only sums over all parties are opened.
//
// A step:
//   1. Every party draws a random part of its records, which only it sees (mpc/random/poisson_sample.h).
//   2. The party adds up the clipped gradients of these records (dense_gradients.h), exactly.
//   3. The party adds noise of its own (mpc/protocols/noise.h): the sum over all parties has the noise that the account states.
//   4. The party rounds its value, if all other parties may pool their knowledge (privacy.colluding). The party's own noise
//      then protects its records, and the rounding is post-processing. Otherwise the value is not rounded.
//      Steps 2 to 4 are made range by range, and a range travels while the next one is made (mpc/protocols/noisy_sum.h).
//   5. The sum is revealed to all parties, and each takes the same step of the optimiser.
//
// Against SGD on shares: every party sees every model, so that every step is a release that counts; but there is no dealer,
// one round a step, and 14 bits for each weight. Metrics are sums over the parties' own rows, revealed exactly, and may
// stop the training early: the model of the best number is then the result.
//
// A checkpoint has values that every party knows. A training that resumes draws other records and other noise, so a step
// that it repeats is another release. Thread: its session's.
#pragma once

#include <functional>

#include "gnn/aggregate/dense_gradients.h"
#include "gnn/optimiser/optimisers.h"
#include "gnn/privacy/training_privacy.h"
#include "gnn/train/counts.h"
#include "gnn/train/epoch_event.h"
#include "gnn/train/judging.h"
#include "gnn/train/own_records.h"
#include "gnn/train/training_profile.h"
#include "mpc/protocols/noise.h"
#include "mpc/random/poisson_sample.h"

namespace tacit::gnn {

class AggregateTrainer {
 public:
  // The session must outlive it. `own`: of this party, or of all parties in a clear session; null in a planning session. `counts`: of all parties.
  AggregateTrainer(mpc::Session& session, const TrainingPlan& plan, const TrainingPrivacy& privacy, Shape shape,
                   const Counts& counts, const OwnRecords* own);
  AggregateTrainer(const AggregateTrainer&) = delete;

  void count_traffic(std::function<net::Traffic()> traffic) { traffic_ = std::move(traffic); }
  // Called before the first reveal of an epoch, with the number of all steps until its end.
  void before_epochs(std::function<void(std::int64_t steps)> note) { note_ = std::move(note); }
  // Called with the state after every checkpoint_every epochs and after the last one, once all parties have compared their
  // transcripts.
  void on_checkpoint(std::function<void(const TrainingState&)> keep) { keep_ = std::move(keep); }
  TrainingState state() const;
  // Goes on after that state's last epoch. Every rank restores the same state, before run(). Throws ConfigError if it does
  // not fit the plan.
  void restore(TrainingState state);

  // Planning only: jump ahead by `epochs`.
  void skip(std::int64_t epochs);

  // Runs the remaining epochs. If there are none, sends one event with the metrics alone.
  void run(const std::function<void(const EpochEvent&)>& on_epoch = {});

  // The result: the last model, or the best one if early stopping keeps it.
  const std::vector<NamedMatrix>& parameters() const { return uses_best() ? best_->parameters : parameters_; }
  std::int64_t epochs() const { return epochs_; }  // done, in all sessions of the training
  TrainingProfile profile() const;

  // The reason of the reveals, one in each step.
  static constexpr std::string_view kSum = "sum of clipped gradients and noise";

 private:
  using Metrics = std::vector<const Revealed*>;  // of the plan
  // The model of the best number, and its metrics that were revealed in this session: `told` lists all, `readings` has the
  // values that this rank saw.
  struct Best {
    std::int64_t epoch = 0;
    std::vector<NamedMatrix> parameters;
    Metrics told = {};
    std::vector<EpochEvent::Reading> readings = {};
  };

  EpochEvent run_epoch(std::int64_t epoch);
  void tell_again(const std::function<void(const EpochEvent&)>& on_epoch);
  void step(double rate);
  template <typename Condition>
  Metrics metrics_where(const Condition& condition) const;
  void evaluate(EpochEvent& event, const Metrics& metrics);
  void tell_best(EpochEvent& event);
  bool uses_best() const;  // the training is at its end, and its best model is not the last one
  bool is_kept(const EpochEvent& event) const;
  void note_begin();
  double numerator(const Revealed& what) const;

  mpc::Session& session_;
  TrainingPlan plan_;
  TrainingPrivacy privacy_;
  Counts counts_;
  const OwnRecords* own_;
  std::vector<NamedMatrix> parameters_;
  std::int64_t elements_ = 0;  // the number of elements of all parameters
  DenseGradients gradients_;
  mpc::Noise noise_;
  mpc::Format exact_, opened_;  // of a sum, before and after the rounding
  std::optional<mpc::PoissonSample> sample_;
  std::unique_ptr<PlainOptimiser> optimiser_;
  double scale_ = 1;  // of gradients in a training on shares, by which Adam's epsilon is stated
  std::function<net::Traffic()> traffic_;
  std::function<void(std::int64_t)> note_;
  std::function<void(const TrainingState&)> keep_;
  Judging judging_;
  std::optional<Best> best_;      // if early stopping keeps the best model
  bool ended_ = false;            // the last epoch's steps are done
  std::int64_t epochs_ = 0;       // done
  std::int64_t epochs_here_ = 0;  // in this session
  mpc::Profile at_begin_, after_first_, at_end_;
};

}  // namespace tacit::gnn
