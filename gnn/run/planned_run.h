// planned_run — what a training will cost one rank, with no peers and nothing computed: the program of run_training on
// a session that only states costs.
//
// Rounds and bytes are exactly what is measured, unless the training ends early. Comparing the jobs, meeting, agreeing
// on the data and checkpoints are not in them.
#pragma once

#include "gnn/train/agreement.h"
#include "gnn/train/training_plan.h"
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

  Step sharing;              // the data, and the plans' constants
  std::vector<Step> epochs;  // each, with its evaluation where one is due
  Step results;              // revealing the model and predictions
  Step total;
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;

  // The epoch that most are like, and of several that with the fewest rounds: without an evaluation unless each has
  // one.
  const Step& usual_epoch() const;
};

// Of how many parties, which may be more or fewer than the job's: nothing depends on who holds what.
struct PlannedRank {
  int parties = 0;
  int rank = 0;
  net::AllReducePlan openings = net::AllReducePlan::unmeasured(2);
};

PlannedRun planned_run(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                       const PlannedRank& rank);

}  // namespace tacit::gnn
