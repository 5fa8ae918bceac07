// planned_run — the cost of a training at one rank, without peers and without computing values: the
// program of run_training runs in a planning session, which only states costs.
//
// Rounds and bytes equal the measured ones exactly, unless training ends early or epochs were left
// out. The plan does not include the rendezvous and the agreement on jobs, data and checkpoints.
// Batches of equal shape cost the same, so the plan runs two batches of each shape and multiplies.
// A plan of millions of rows takes seconds and little memory.
#pragma once

#include <limits>

#include "gnn/plan/training_plan.h"
#include "gnn/privacy/training_privacy.h"
#include "gnn/train/agreement.h"
#include "gnn/train/training_profile.h"
#include "mpc/session/plan_session.h"

namespace tacit::gnn {

// The words of values that do not stay: all of them, and the most at one time. `left`: the words of the results, which stay.
struct PassingWords {
  std::int64_t all = 0, at_once = 0, left = 0;
};

// The bytes that are taken for a while before data are shared: for measuring the links, at a party, and for the account of
// privacy, at every rank.
struct PassingBytes {
  std::int64_t links = 0, account = 0;
};

// The cost of making the correlations of a program ahead of it (mpc/ahead/maker.h), beside the bytes that its operations state:
// rounds, messages, and extensions of transfers. Batches do not end with the steps of a run, so each step has a part by its bytes,
// rounded up.
struct Making {
  mpc::Cost cost;
  std::int64_t bytes = 0;   // of the same correlations, as the operations state them
  std::int64_t memory = 0;  // of the maker at a party, beside its masks: an estimate

  // For a run that makes so many bytes: the same, or in proportion if steps were left out of the plan.
  Making of_run(std::int64_t made_bytes) const;
  mpc::Cost part_of(const mpc::Cost& step) const;
};

struct PlannedRun {
  struct Step {
    mpc::Cost cost;
    mpc::Work work;

    bool operator==(const Step& other) const { return cost == other.cost; }
    friend Step operator+(const Step& a, const Step& b) { return {a.cost + b.cost, a.work + b.work}; }
    friend Step operator-(const Step& a, const Step& b) { return {a.cost - b.cost, a.work - b.work}; }
  };

  // The epochs and batches of a long training that were not planned one by one, but extrapolated
  // from the planned ones.
  struct LeftOut {
    std::int64_t epochs = 0;
    std::int64_t batches = 0;  // in every epoch
    Step cost;                 // cost of the epochs that were left out
    bool anything() const { return epochs > 0 || batches > 0; }
  };

  PassingBytes before;
  Step sharing;                          // the session's known-answer test, the data, and the plans' constants
  PassingWords normalising;              // sharing and normalising a private graph; these words are also in `sharing`
  std::vector<Step> epochs;              // planned epochs with their evaluations; the last is the training's last
  std::vector<std::int64_t> numbers;     // numbers of the planned epochs: 1, 2, ... if no epoch is left out
  std::vector<std::int64_t> stands_for;  // for each planned epoch, the number of epochs that it stands for
  LeftOut left_out;                      // extrapolated epochs and batches
  Step results;                          // revealing the model and predictions
  Step total;                            // includes the left-out epochs and batches, as do the reveals and decisions
  std::int64_t batches = 0;              // in an epoch
  std::int64_t measured_blocks = 1;      // blocks of nodes in which an evaluation is computed
  std::int64_t predicted_blocks = 1;     // blocks of nodes in which the revealed predictions are computed
  std::int64_t most_dealt = 0;           // bytes of one operation after the sharing
  Making making;                         // without a dealer; the steps and the total have their parts
  TrainingProfile profile;               // the planned cost by part and protocol, without times
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;

  // A typical epoch between the first and the last (if there is one): among the epochs with the
  // most frequent number of rounds, the median by bytes. If several numbers are equally frequent,
  // the least one counts. The typical epoch has no evaluation, unless at least every other epoch
  // has one.
  const Step& usual_epoch() const;
};

// The rank for which costs are planned. The number of parties may differ from the job's, because the
// cost does not depend on the owners of the data.
struct PlannedRank {
  int parties = 0;
  int rank = 0;
  net::AllReducePlan openings = net::AllReducePlan::unmeasured(2);
  std::int64_t most_steps = std::numeric_limits<std::int64_t>::max();  // rough limit of batches planned one by one
};

// The part of the agreement that a plan needs: sizes, without the views of a public graph.
DataAgreement sizes_of(const DataAgreement& agreed);

PlannedRun planned_run(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                       const PlannedRank& rank);

// `privacy`: of a training with a table [privacy].
PassingBytes bytes_before_sharing(const TrainingPlan& training, const TrainingPrivacy* privacy, int parties);

// The words for sharing the edges of a private graph of so many nodes, and for its normalisations. The edges and the normalised
// matrices live at once with the values of a block of rows (gnn/arithmetic/roots.h).
PassingWords words_of_normalising(const mpc::PlanSession& session, std::int64_t nodes);

}  // namespace tacit::gnn
