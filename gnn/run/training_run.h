// run_training — one rank's whole part in a training, from what its file holds to what the plan reveals.
//
// Every rank calls it with the same plans, over a mesh that is ready: parties with their part of the data, the dealer
// with none. It compares the plans, checks the part, agrees on the data, shares them, trains, keeps checkpoints and
// goes on from them. The mesh stays open.
#pragma once

#include "gnn/checkpoint/resume.h"
#include "gnn/plan/data_plan.h"
#include "gnn/train/agreement.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

struct RunOptions {
  std::string data_name = "this rank's data";  // for errors: a file's name
  // What happens here, when it does; called in this thread.
  std::function<void(std::string_view)> on_phase;          // begins: "sharing the data"
  std::function<void(const DataAgreement&)> on_agreement;  // of all ranks on the data
  std::function<void(std::int64_t epoch)> on_resume;       // goes on after this epoch
  std::function<void(const EpochEvent&)> on_epoch;
  std::function<void(std::int64_t epoch)> on_checkpoint;  // it is on this rank's disk
  // At every party where the plan says that checkpoints are kept; the dealer keeps none.
  std::optional<StoreOptions> checkpoints;
  std::function<void(const std::string&)> on_note;  // a sentence: a checkpoint that is refused, or passed over
  IfNone if_none = IfNone::kStartAfresh;            // the same at every rank
  int threads = 1;                                  // for this rank's computation; results do not depend on it
};

struct RunResult {
  std::int64_t epochs = 0;                    // that are done, in all sessions of the run
  std::vector<EpochEvent::Reading> readings;  // the last ones that were revealed to this rank
  std::vector<NamedMatrix> model;             // if it was revealed to this rank
  std::optional<Matrix> predictions;          // likewise, of all nodes: targets in their own unit, or classes' numbers
  // Of a party that keeps checkpoints: in all sessions of the job in their folder. Otherwise of this session.
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;        // of this session
  mpc::Cost cost;                              // likewise, as stated
  std::vector<mpc::ProtocolCost> costs;        // the same by protocol
  TrainingProfile profile;                     // the same by part and protocol, with this rank's times
  std::optional<net::AllReducePlan> openings;  // likewise; at the dealer none
};

RunResult run_training(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                       const RunOptions& options = {});

// Of the model in the newest checkpoint that all parties hold: it is not trained any further. Reveals what the plan
// says of the model and of predictions. Throws ConfigError where there is no such checkpoint.
RunResult run_prediction(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                         const RunOptions& options);

}  // namespace tacit::gnn
