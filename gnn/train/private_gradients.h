// PrivateGradients — the gradients of one step of a private training on shares: the sum of all records' clipped gradients, with
// noise (DP-SGD; mpc/functions/clipped_sum.h).
//
// Everything that the bound on a record's influence needs is decided here, before the first step, from public numbers alone:
// the largest gradient of a record (record_bounds.h), the ring of its length, and the scale of gradients. A setting for
// which no bound can be proved is refused.
//
// Secure    a record changes a sum by its own contribution alone, of length clip at most, and the noise is as the account
//           states (training_privacy.h). The optimiser, the clamp of the weights, evaluations and all roundings follow the
//           noise, and reveal no more of a record. The transcripts of a step have lengths that do not depend on the records
// Rounds    8 more than a step without privacy, and 2 to clamp the weights
#pragma once

#include <vector>

#include "gnn/model/record_gradients.h"
#include "gnn/plan/training_plan.h"
#include "gnn/privacy/record_bounds.h"
#include "gnn/privacy/training_privacy.h"
#include "mpc/functions/clipped_sum.h"

namespace tacit::gnn {

// The shape of a model's data.
struct Columns {
  std::int64_t features = 0, labels = 0;
};

class PrivateGradients {
 public:
  // Throws SettingError if the bound cannot be proved, with the range to declare.
  PrivateGradients(const TrainingPlan& plan, const TrainingPrivacy& privacy, const Columns& columns);

  // The plan's ranges, and the ranges that follow from the bounds of features and weights.
  const Ranges& ranges() const { return ranges_; }
  // The factor of the loss' gradient besides its scale: with it, the clip is a power of two.
  double loss_factor() const { return factor_; }
  // The factor by which the gradients of of() are larger than the mean over the expected records of a step.
  double scale() const { return scale_; }
  // The rings and bounds of each dense layer, the narrowest that the sums of clipped gradients allow.
  const RecordLayers& layers() const { return layers_; }

  // In the order of the model's parameters. `counted`: 1 for a record, 0 for an empty row.
  Tensors of(Arithmetic& arithmetic, const std::vector<RecordGradients>& layers, const mpc::Share& counted) const;

 private:
  void prove_ranges(const TrainingPlan& plan, const RecordBounds& bounds);
  void prove_length(const TrainingPlan& plan, const RecordBounds& bounds, std::int64_t parties);
  void choose_rings(const TrainingPlan& plan, const RecordBounds& bounds, const mpc::SumBounds& sum);

  Ranges ranges_;
  double factor_ = 1, scale_ = 1;
  double bound_ = 0;  // of an element of the result
  int halvings_ = 0;
  mpc::Clip clip_;
  RecordLayers layers_;
  mpc::StepNoise noise_;
};

}  // namespace tacit::gnn
