// run_training — one rank's part in a training, from the data in its file to the values that the
// plan reveals.
//
// Every rank calls it with the same plans, over a connected mesh. A party passes its part of the
// data, and the dealer passes none. The call compares the plans, validates the part, agrees on the
// data, resumes from a checkpoint if there is one, shares the data, trains and keeps checkpoints.
// The mesh stays open.
#pragma once

#include "gnn/checkpoint/resume.h"
#include "gnn/plan/plans.h"
#include "gnn/privacy/privacy_ledger.h"
#include "gnn/privacy/training_privacy.h"
#include "gnn/train/agreement.h"
#include "gnn/train/trainer.h"

namespace tacit::mpc::device {
class Device;
}

namespace tacit::gnn {

struct RunOptions {
  std::string data_name = "this rank's data";  // names the data in errors: a file's name
  // Progress callbacks, called in this thread. A slow one delays this rank, and all others wait for it: up to the patience of their
  // mesh (10 minutes by default), then they end with a NetError that names this rank. Hand long work to another thread.
  std::function<void(std::string_view)> on_phase;          // a phase begins: "sharing the data"
  std::function<void(const DataAgreement&)> on_agreement;  // all ranks have agreed on the data
  // Before the first step of a private training. The charge is the training's entry in this rank's ledger, if there is a
  // ledger.
  std::function<void(const TrainingPrivacy&, const std::optional<Charge>&)> on_privacy;
  // The account of the privacy that was spent on this party's data (gnn/privacy/privacy_ledger.h).
  struct Ledger {
    std::filesystem::path file;
    std::string owner;  // "rank 1", for messages to all ranks
    mpc::Digest job{}, data{};
    std::optional<CleaningMark> cleaning = std::nullopt;  // the mark in the data's file
  };
  std::optional<Ledger> ledger;
  std::function<void(std::int64_t epoch)> on_resume;  // the training resumes after this epoch
  std::function<void(const EpochEvent&)> on_epoch;
  std::function<void(std::int64_t epoch)> on_checkpoint;  // a checkpoint is on this rank's disk
  // Required at every party if the plan keeps checkpoints. The dealer keeps none.
  std::optional<StoreOptions> checkpoints;
  std::function<void(const std::string&)> on_note;  // a sentence about a checkpoint that is refused or passed over
  IfNone if_none = IfNone::kStartAfresh;            // the same at every rank
  int threads = 1;                                  // for this rank's computation; results do not depend on it
  // Multiplies this rank's large matrices; results do not depend on it. The pointer is read when the session begins, after
  // on_agreement (or on_subject); the device must outlive the call.
  mpc::device::Device* device = nullptr;
};

// The privacy that a private training spent. A step that a resumed session repeated has other records and other noise, and counts
// again if values with both attempts were revealed. These are the steps of all sessions of the job in the folder of its
// checkpoints; without checkpoints, of this session alone.
struct SpentPrivacy {
  std::int64_t steps = 0;        // the revealed values contain these steps
  std::optional<Charge> charge;  // of this session to this rank's ledger, if there is one
};

struct RunResult {
  std::int64_t epochs = 0;                         // completed epochs, in all sessions of the run
  std::vector<EpochEvent::Reading> readings;       // the last metrics that were revealed to this rank
  std::vector<EpochEvent::Reading> without_edges;  // metrics of a perturbed model's network that reads no edge
  std::optional<std::int64_t> of_epoch;  // the epoch of the best model, if that is the result and not the last one
  std::vector<NamedMatrix> model;        // empty unless it was revealed to this rank
  Predictions predictions;               // for all nodes, or for these
  std::optional<Rows> nodes;             // nodes that were named; none: all
  // The reveals of this session; at a party that keeps checkpoints, of all sessions of the job in
  // the folder.
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;        // of this session
  mpc::Cost cost;                              // stated cost of this session
  std::vector<mpc::ProtocolCost> costs;        // the same by protocol
  TrainingProfile profile;                     // the same by part and protocol, with this rank's times
  std::optional<net::AllReducePlan> openings;  // the opening algorithm of this session; empty at the dealer
  // In the mode "aggregate", if a training stopped early, or if it repeated steps of earlier sessions.
  std::optional<SpentPrivacy> spent;
};

RunResult run_training(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                       const RunOptions& options = {});

// The options of a store for this job, with settings for one epoch and a patience of 1, since a run may resume with more epochs
// than it was planned for, and with more patience. If the noise follows from an epsilon, the settings have the job's own number
// of epochs, since more epochs would need more noise in every epoch.
StoreOptions store_of_job(StoreOptions options, Plans plans);

}  // namespace tacit::gnn
