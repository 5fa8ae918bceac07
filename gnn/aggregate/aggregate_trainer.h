// AggregateTrainer — trains a model on the records of several parties with differential privacy (training.mode =
// "aggregate"): every party computes with its own records in the clear, and only sums over all parties are opened.
//
// A step:
//   1. Every party draws a random part of its records, which only it sees (mpc/random/poisson_sample.h).
//   2. It adds up their clipped gradients (dense_gradients.h), exactly.
//   3. It adds noise of its own (mpc/protocols/noise.h): the sum over all parties has the noise that the account states.
//   4. It rounds its value, unless the job says that fewer than all other parties pool what they know. If all others pool,
//      the party's own noise protects its records, and the rounding is post-processing.
//   5. The sum is revealed to all parties, and each takes the same step of the optimiser.
//
// Against SGD on shares: every party sees every model, so that every step is a release that counts; but there is no dealer,
// one round a step, and 14 bits for each weight. Metrics are sums over the parties' own rows, revealed exactly.
// Thread: its session's.
#pragma once

#include <functional>

#include "gnn/aggregate/dense_gradients.h"
#include "gnn/optimiser/optimisers.h"
#include "gnn/privacy/training_privacy.h"
#include "gnn/train/counts.h"
#include "gnn/train/epoch_event.h"
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

  void count_traffic(std::function<net::Traffic()> traffic) { traffic_ = std::move(traffic); }
  // Called before the first reveal of an epoch, with the number of all steps until its end.
  void before_epochs(std::function<void(std::int64_t steps)> note) { note_ = std::move(note); }
  void run(const std::function<void(const EpochEvent&)>& on_epoch = {});

  const std::vector<NamedMatrix>& parameters() const { return parameters_; }
  TrainingProfile profile() const;

 private:
  EpochEvent run_epoch(std::int64_t epoch);
  void step(double rate);
  void evaluate(EpochEvent& event, bool due);
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
  std::int64_t epochs_here_ = 0;
  mpc::Profile at_begin_, after_first_, at_end_;
};

}  // namespace tacit::gnn
