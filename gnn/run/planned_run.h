// planned_run — what a training will cost one rank, with no peers and nothing computed: the program of run_training on
// a session that only states costs.
//
// Rounds and bytes are exactly what is measured, unless the training ends early or epochs were left out. Comparing the
// jobs, meeting, agreeing on the data and checkpoints are not in them. Batches of equal shape cost the same: two of
// each shape are planned and the rest is multiplied, so a plan of millions of rows takes seconds and little memory.
#pragma once

#include <limits>

#include "gnn/plan/training_plan.h"
#include "gnn/train/agreement.h"
#include "gnn/train/training_profile.h"
#include "mpc/session/plan_session.h"

namespace tacit::gnn {

struct PlannedRun {
  struct Step {
    mpc::Cost cost;
    mpc::Work work;

    bool operator==(const Step& other) const { return cost == other.cost; }
    friend Step operator+(const Step& a, const Step& b) { return {a.cost + b.cost, a.work + b.work}; }
    friend Step operator-(const Step& a, const Step& b) { return {a.cost - b.cost, a.work - b.work}; }
  };

  // What of a long training was not planned one by one: each is taken to cost what those before did.
  struct LeftOut {
    std::int64_t epochs = 0;
    std::int64_t batches = 0;  // of every epoch
    Step cost;                 // of these epochs
    bool anything() const { return epochs > 0 || batches > 0; }
  };

  Step sharing;              // the session's test value, the data, and the plans' constants
  std::vector<Step> epochs;  // each, with its evaluation where one is due; the last of them is the training's last
  std::vector<std::int64_t> numbers;     // of these: 1, 2, ... where none is left out
  std::vector<std::int64_t> stands_for;  // and each, for how many of the training's
  LeftOut left_out;                      // between these
  Step results;                          // revealing the model and predictions
  Step total;                            // with what was left out, as the accounts
  std::int64_t batches = 0;              // in an epoch
  std::int64_t measured_blocks = 1;      // that an evaluation is made in
  std::int64_t predicted_blocks = 1;     // that the revealed predictions are made in
  TrainingProfile profile;               // of what was planned, by part and protocol: without times
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;

  // Of the epochs between the first and the last, where there are some: one with as many rounds as most have, and of
  // several such numbers the least: without an evaluation unless every other one has one. Of these the middle by bytes.
  const Step& usual_epoch() const;
};

// Of how many parties, which may be more or fewer than the job's: nothing depends on who holds what.
struct PlannedRank {
  int parties = 0;
  int rank = 0;
  net::AllReducePlan openings = net::AllReducePlan::unmeasured(2);
  std::int64_t most_steps = std::numeric_limits<std::int64_t>::max();  // about: batches of epochs, planned one by one
};

PlannedRun planned_run(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                       const PlannedRank& rank);

}  // namespace tacit::gnn
