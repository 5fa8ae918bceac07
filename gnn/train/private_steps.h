// PrivateSteps — the steps of a private training on shares (DP-SGD), up to the optimiser: records are drawn, and the optimiser
// takes the sum of their clipped gradients with noise.
#pragma once

#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/model/model.h"
#include "gnn/train/private_gradients.h"
#include "gnn/train/record_draw.h"

namespace tacit::gnn {

class PrivateSteps {
 public:
  // Throws SettingError if the bound on a record's influence cannot be proved.
  PrivateSteps(const mpc::Session& session, const TrainingPlan& plan, RecordSource source);

  const Ranges& ranges() const { return gradients_.ranges(); }
  double scale() const { return gradients_.scale(); }  // of gradients

  // One step: sets the gradients of the parameters.
  void take_gradients(Arithmetic& arithmetic, std::vector<Parameter>& parameters);

 private:
  Objective objective_;
  PrivateGradients gradients_;
  RecordDraw draw_;
  GraphView view_;  // of as many rows as a step draws
  Model model_;
};

}  // namespace tacit::gnn
