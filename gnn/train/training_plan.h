// TrainingPlan — how a model is trained, as the job says it. Public, and the same at every rank.
#pragma once

#include <optional>
#include <vector>

#include "gnn/model/model_spec.h"
#include "gnn/optimiser/adam.h"
#include "gnn/optimiser/rate_schedule.h"
#include "gnn/optimiser/sgd.h"
#include "gnn/train/early_stopping.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

enum class Objective { kSquaredError, kCrossEntropy };

// A number that the job reveals, and to whom.
struct Revealed {
  Metric metric = Metric::kRootMeanSquaredError;
  Part part = Part::kTest;
  mpc::To to = mpc::To::everyone();
};

// How a secret value is opened to all parties (net/collectives/all_reduce.h). Of two parties' all cost the same bytes.
enum class Openings {
  kBySize,    // direct where little is opened, two-phase where much is: known before a run, and usually right
  kDirect,    // the fewest rounds
  kTwoPhase,  // the fewest bytes
  kMeasured,  // whichever takes the links at hand less time; measured before each session
};

struct TrainingPlan {
  ModelSpec model;
  mpc::Format top{64, 13};  // ring and fraction bits
  Ranges ranges;
  Objective objective = Objective::kSquaredError;
  SgdOptions sgd;
  std::optional<AdamOptions> adam;  // instead of sgd
  RateSchedule rate;
  std::optional<double> clip;  // elements of the loss' gradient by parameters, at most
  std::int64_t epochs = 100;
  std::int64_t batch = 0;  // labelled nodes to a step; 0: all of them
  std::uint64_t seed = 1;  // of initial weights, dropout and batches
  Openings openings = Openings::kBySize;
  std::optional<EarlyStopping> stopping;

  // The range watch (mpc/levels/range_audit.h): epochs between two audits; 0: nothing is watched. Besides, one before
  // every checkpoint and before whatever is revealed at an evaluation or at the end.
  std::int64_t audit_every = 1;
  std::int64_t checkpoint_every = 0;  // epochs; the last is kept too. 0: none is
  std::int64_t evaluate_every = 0;    // epochs; 0: after the last alone

  // All that is ever revealed; to nobody where there is none.
  std::optional<mpc::To> loss_to = mpc::To::everyone();  // of training, every epoch
  std::vector<Revealed> metrics;                         // at every evaluation
  std::optional<mpc::To> model_to, predictions_to;       // at the end
};

// Throws ConfigError that names the setting and what is allowed.
void check(const TrainingPlan& plan, std::int64_t inputs);
// Whether all to whom something is revealed are parties.
void check_ranks(const TrainingPlan& plan, int parties);

}  // namespace tacit::gnn
