// Sgd — gradient descent with momentum and weight decay, as PyTorch defines them:
//   v = momentum·v + gradient + decay·w,  w = w - rate·v
//
// Rounds      2 a step: v is lifted, then w; one more where the rate is so small that steps must be lifted, too
#pragma once

#include "gnn/optimiser/optimiser.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

struct SgdOptions {
  double momentum = 0;
  double weight_decay = 0;

  void describe(SettingVisitor& visitor) {
    visitor.real({"weight_decay", "the gradient gains this factor times the weight"}, weight_decay,
                 {.least = 0, .most = 1, .without_most = true});
    visitor.real({"momentum", "the part of the last step's velocity that the next step keeps"}, momentum,
                 {.least = 0, .most = 0.9999});
  }
};

class Sgd final : public Optimiser {
 public:
  explicit Sgd(const SgdOptions& options) : options_(options) {}
  void step(Arithmetic& arithmetic, Parameters parameters, const Step& step) override;
  OptimiserState state() const override;
  void restore(OptimiserState state, Parameters parameters) override;

 private:
  SgdOptions options_;
  MasterCopies masters_;
  Tensors velocities_;  // after the last step, times the gradients' scale; in the top ring
};

}  // namespace tacit::gnn
