// Sgd — gradient descent with momentum and weight decay, as PyTorch defines them:
//   v = momentum·v + gradient + decay·w,  w = w - rate·v
//
// Rounds      1 a step: v is lifted. One more if the ring has no room for products of unlifted weights, and one for a very
//             small decay
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "gnn/loss/loss.h"
#include "gnn/optimiser/optimiser.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

struct SgdOptions {
  double momentum = 0;
  double weight_decay = 0;

  static constexpr std::string_view kWord = "sgd";
  static constexpr double kRate = 0.1;  // by default

  void describe(SettingVisitor& visitor) {
    visitor.real({"weight_decay", "the gradient gains this factor times the weight"}, weight_decay,
                 {.least = 0, .most = 1, .without_most = true});
    visitor.real({"momentum", "the part of the last step's velocity that the next step keeps"}, momentum,
                 {.least = 0, .most = 0.9999});
  }

  std::unique_ptr<Optimiser> make() const;
  std::unique_ptr<PlainOptimiser> make_plain() const;
  std::string misfit(mpc::Format) const { return ""; }
  std::int64_t starting_steps() const { return 0; }
  // Gradients of a mean over standardised data are about 1. Hubs of a graph, heavy-tailed features, or a step that went too far
  // make them grow: with the default ranges they may become 64.
  double largest_scale(const Ranges& ranges, const LossKind&) const {
    return std::min(256.0, ranges.weight_gradients / 2);
  }
  double largest_gradient(const Ranges& ranges, double scale) const {
    constexpr double kRoundings = 0.99;
    return kRoundings * (1 - momentum) * ranges.weight_gradients - weight_decay * scale * ranges.weights;
  }
};

class Sgd final : public Optimiser {
 public:
  explicit Sgd(const SgdOptions& options) : options_(options) {}
  void begin(Arithmetic& arithmetic, Parameters parameters) override { masters_.begin(arithmetic, parameters); }
  void step(Arithmetic& arithmetic, Parameters parameters, const Step& step) override;
  OptimiserState state() const override;
  void restore(OptimiserState state, Parameters parameters) override;

 private:
  SgdOptions options_;
  MasterCopies masters_;
  Tensors velocities_;  // after the last step, times the gradients' scale; in the top ring
};

}  // namespace tacit::gnn
