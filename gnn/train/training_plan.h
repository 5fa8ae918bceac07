// TrainingPlan — how a model is trained, as the job says it. Public, and the same at every rank.
#pragma once

#include <optional>
#include <vector>

#include "gnn/model/model_spec.h"
#include "gnn/optimiser/adam.h"
#include "gnn/optimiser/sgd.h"
#include "gnn/train/metric.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

enum class Objective { kSquaredError, kCrossEntropy };

// Nodes that count for something. Public.
struct Split {
  Rows train, validation, test;
};
enum class Part { kTrain, kValidation, kTest };
const Rows& rows_of(const Split& split, Part part);
std::string_view name_of(Part part);

// A number that the job reveals, and to whom.
struct Revealed {
  Metric metric = Metric::kRootMeanSquaredError;
  Part part = Part::kTest;
  mpc::To to = mpc::To::everyone();
};

struct TrainingPlan {
  ModelSpec model;
  mpc::Format top{64, 13};  // ring and fraction bits
  Ranges ranges;
  Objective objective = Objective::kSquaredError;
  SgdOptions sgd;
  std::optional<AdamOptions> adam;  // instead of sgd
  double rate = 0.1;
  std::int64_t epochs = 100;
  std::uint64_t seed = 1;  // of initial weights and dropout

  std::optional<mpc::To> loss_to = mpc::To::everyone();  // of the training loss, every epoch; or to nobody
  std::int64_t checkpoint_every = 0;                     // epochs; the last is kept too. 0: none is
  std::int64_t evaluate_every = 0;                       // epochs; 0: after the last alone
  std::vector<Revealed> metrics;
};

}  // namespace tacit::gnn
