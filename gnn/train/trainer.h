// Trainer — trains a model on secrets: the same program for parties, the dealer and the clear session.
//
// Reveals only the values that the plan lists. Every rank gets one event per epoch, with the values revealed to it. Most
// events come during the next epoch, since their values travel beside its openings (untold_epoch.h).
// Thread: its session's.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "gnn/arithmetic/target_unit.h"
#include "gnn/loss/loss.h"
#include "gnn/metric/measure.h"
#include "gnn/model/model.h"
#include "gnn/plan/training_plan.h"
#include "gnn/train/data_scale.h"
#include "gnn/train/epoch_event.h"
#include "gnn/train/folded_model.h"
#include "gnn/train/gradient_scale.h"
#include "gnn/train/judging.h"
#include "gnn/train/node_outputs.h"
#include "gnn/train/predictions.h"
#include "gnn/train/private_steps.h"
#include "gnn/train/revealed_once.h"
#include "gnn/train/training_profile.h"
#include "gnn/train/training_state.h"
#include "gnn/train/untold_epoch.h"
#include "gnn/train/usage.h"
#include "net/traffic.h"

namespace tacit::gnn {

// The secret data of a training.
struct SecretGraph {
  Tensor x;                               // all nodes, in the ring that the model needs (factor_rings.h)
  std::vector<int> parameter_rings = {};  // the ring of each weight in products; empty: each weight's own ring
  Tensor y;  // a row for each subject (several_graphs.h, link_pairs.h): targets, or 1 in the column of the class
  struct Batch {
    GraphView view;               // ends with the nodes that are trained on, or with all
    Selection labelled;           // selects from the nodes with which the view ends
    std::int64_t stands_for = 1;  // planning only: the number of batches that it stands for in the sum of losses
  };
  std::vector<Batch> batches;
  bool batches_apart =
      false;        // at every rank: no two batches read the same rows, and each rank knows how many each reads
  GraphView whole;  // ends with all subjects: all nodes, graphs, or pairs; with blocks, nothing is computed by it
  // For many nodes, if every layer reads only the rows that it writes: predictions are computed block after block, in
  // bounded memory. For links: metrics and predictions have other pairs than a batch.
  struct Blocks {
    std::map<Part, std::vector<GraphView>> measured;  // the nodes of a metric's part; empty: read all nodes
    std::vector<GraphView> all;                       // all nodes, or the pairs that are predicted; empty if not needed
  };
  std::optional<Blocks> blocks;  // none: all nodes at once
  Selection train, validation, test;
  std::shared_ptr<mpc::RangeAudit> audit;  // watches the scaled values; null if the watch is off
  std::optional<TargetUnit> target_unit;   // for standardised targets, if a value is revealed in their own unit
  DataScale scale;                         // how the data were scaled
  // Of a private training (plan.privacy): the records of each step. The batches are as many steps, without rows of their own.
  std::optional<RecordSource> records;
  Fold fold;  // for the revealed model

  const Selection& nodes(Part part) const {
    return part == Part::kTrain ? train : part == Part::kValidation ? validation : test;
  }
};

// The names of all values that a trainer requests from RevealedOnce.
std::vector<std::string> revealed_once_names(const TrainingPlan& plan);

class Trainer {
 public:
  // The session must outlive it. Throws ConfigError if the plan contradicts itself, or does not fit the graph.
  Trainer(mpc::Session& session, const TrainingPlan& plan, SecretGraph graph);

  // The callback for the state after every checkpoint_every epochs. A rank without checkpoints, such as the dealer,
  // sets none.
  void on_checkpoint(std::function<void(const TrainingState&)> keep) { keep_ = std::move(keep); }
  // The store for shares that are revealed from a checkpoint's state: a loss, metric or prediction that is revealed
  // again has the same value. Null: no store. The store must outlive the trainer.
  void reveal_once(RevealedOnce* once) { once_ = once; }
  // The source of an event's traffic.
  void count_traffic(std::function<net::Traffic()> traffic) { traffic_ = std::move(traffic); }
  // Keeps the state before the first epoch as a checkpoint, before run(). Every rank calls it.
  void keep_beginning();
  TrainingState state();
  std::int64_t steps() const { return passes_; }  // in all sessions of the training
  // Goes on after that state's last epoch. Every rank restores the same state, before run() and after reveal_once(). Throws
  // ConfigError if it does not fit the plan. A training that stopped early goes on if the plan has more patience than then;
  // with more epochs, the count of numbers that did not improve begins again.
  void restore(TrainingState state);

  // Planning only: jump ahead by `epochs`, between two epochs.
  void skip(std::int64_t epochs);
  // The callback at the end of every epoch, before its event if the next epoch tells it.
  void between_epochs(std::function<void(std::int64_t epoch)> then) { between_epochs_ = std::move(then); }

  // Runs the remaining epochs. If there are none, sends one event with the metrics alone. Throws TrainingDiverged at
  // every rank to which the loss is revealed.
  void run(const std::function<void(const EpochEvent&)>& on_epoch = {});

  // The profile of the session, with the time of all ended parts. Without a trained epoch: only before and after.
  TrainingProfile profile() const;

  Tensor predictions();  // for all subjects, by the current model
  // Audits the values that the range watch has seen since its last audit, such as predictions. Throws RangeLeft.
  void audit_news();
  std::vector<Parameter*> parameters();
  Arithmetic& arithmetic() { return arithmetic_; }

  // At the ranks that the plan names; empty at all others. If the plan names no rank, nothing is revealed.
  std::vector<NamedMatrix> reveal_model();
  Predictions reveal_predictions();

 private:
  struct Batch {
    Tensor x;  // the rows with which the view begins
    std::shared_ptr<Model> model;
    std::unique_ptr<Loss> loss;
    std::int64_t stands_for = 1;
  };

  // The metrics of a state that were revealed in this session: all names, and the values that this rank saw.
  struct Told {
    std::int64_t epoch = -1;
    std::vector<std::string> names;
    std::vector<EpochEvent::Reading> readings;
  };
  struct Best {
    std::int64_t epoch = 0;
    std::vector<Parameter> parameters;
    Told told;
    // With a store, the shares that some session revealed, by name: of its metrics, and of results when it was the result.
    std::map<std::string, Tensor> metrics = {}, results = {};
  };

  // Returns nothing if the next epoch reports this one.
  std::optional<EpochEvent> run_epoch(std::int64_t epoch);
  void tell_again(const std::function<void(const EpochEvent&)>& on_epoch);
  std::optional<EpochLoss> train(std::int64_t epoch, double rate);
  Tensor step(Batch& batch, double rate);
  void private_step(double rate);
  // The metrics with these indices.
  void evaluate(EpochEvent& event, const std::vector<std::size_t>& metrics);
  // Telling an epoch, in trainer_telling.cc.
  void tell_at_once(const std::optional<EpochLoss>& loss, EpochEvent& event);
  UntoldEpoch begin_telling(std::optional<EpochLoss> loss, std::int64_t epoch);
  void tell_with_next(UntoldEpoch untold);
  void go_on_telling();
  Tensor share_of_loss(const EpochLoss& loss, std::int64_t epoch);
  void read_loss(const mpc::Public& seen, double loss_per_total, EpochEvent& event);
  void judge(const EpochEvent& event);
  bool uses_best() const;
  const std::vector<Parameter>& in_use() const;
  Best as_best(std::int64_t epoch) const;
  void tell_best(EpochEvent& event);
  bool is_audited(std::int64_t epoch) const;
  void audit(std::int64_t epoch);
  void expect_clean(std::vector<Watched> left, std::int64_t epoch);
  void audit_model();
  void settle_parameters();
  std::vector<Tensor> measured(const std::vector<std::size_t>& metrics);
  Tensor once(std::int64_t epoch, const std::string& name, const std::function<Tensor()>& compute);
  Tensor share_of(const EpochEvent& event, const Revealed& what, const Tensor& number);
  Tensor share_of_result(const std::string& name, const std::function<Tensor()>& compute);
  void find_shares_of_best();
  bool is_kept(std::int64_t epoch) const;
  bool keeps(std::int64_t epoch) const;
  std::vector<Parameter> restored(const Tensors& values) const;
  void narrow_factors();  // after every change of the parameters
  void checkpoint(std::int64_t epoch);
  void note_begin();

  mpc::Session& session_;
  TrainingPlan plan_;
  SecretGraph graph_;
  std::unique_ptr<PrivateSteps> private_;  // of a private training, which has no batches of its own
  Judging judging_;
  std::shared_ptr<mpc::RangeAudit> audit_;
  Arithmetic arithmetic_;
  std::vector<Parameter> parameters_;
  std::vector<Batch> batches_;
  NodeOutputs of_all_;                    // outputs for all nodes
  std::map<Part, NodeOutputs> measured_;  // of the nodes of metrics, if the graph has blocks
  std::unique_ptr<Optimiser> optimiser_;
  GradientScale gradient_scale_;
  std::vector<std::unique_ptr<Measure>> measures_;  // one for each of plan_.metrics
  Told told_;                                       // of the last evaluation
  std::optional<Best> best_;                        // the model of the best number
  std::optional<Best> before_;                      // before the epoch's steps, if early stopping judges the loss
  bool ended_ = false;                              // the last epoch's steps are done
  std::optional<double> first_loss_;
  std::int64_t epochs_ = 0;  // done
  std::int64_t passes_ = 0;  // in training
  std::function<void(const EpochEvent&)> on_epoch_;
  std::function<void(std::int64_t epoch)> between_epochs_;
  std::optional<UntoldEpoch> untold_;  // the epoch before the current one
  std::function<void(const TrainingState&)> keep_;
  RevealedOnce* once_ = nullptr;
  std::vector<std::pair<std::string, Tensor>> evaluated_;  // the totals of the last evaluation, by reason
  std::int64_t evaluated_after_ = -1;                      // the number of epochs at that time
  std::function<net::Traffic()> traffic_;
  std::vector<std::int64_t> kept_;  // the last two epochs that were kept
  std::int64_t clean_until_ = 0;    // the epoch of the last audit
  // The session's profile before the first epoch, after it, and after the last.
  mpc::Profile at_begin_, after_first_, at_end_;
  std::int64_t epochs_here_ = 0;  // in this session
};

}  // namespace tacit::gnn
