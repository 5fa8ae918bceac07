// Residual — a layer's output plus its input.
#pragma once

#include <memory>

#include "gnn/graph/propagator.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class Residual final : public Layer {
 public:
  // The propagator of a layer that gathers, else null.
  Residual(std::string name, std::unique_ptr<Layer> inner, Propagator* propagator)
      : name_(std::move(name)), inner_(std::move(inner)), propagator_(propagator) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override {
    const Tensor kept = propagator_ == nullptr ? x : propagator_->own(arithmetic, x);
    // Data with elements dropped are finer than values.
    const Tensor own = arithmetic.rounded(kept, Precision::kValue);
    return arithmetic.sum(inner_->forward(arithmetic, x, pass), own, arithmetic.ranges().activations, name_);
  }
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override {
    const std::optional<Tensor> through = inner_->backward(arithmetic, gradient);
    if (!through) return std::nullopt;
    const Tensor own = propagator_ == nullptr ? gradient : propagator_->own_backward(arithmetic, gradient);
    return arithmetic.sum(*through, own, arithmetic.ranges().gradients, name_ + " input gradient");
  }
  std::vector<Parameter*> parameters() override { return inner_->parameters(); }
  void forget() override { inner_->forget(); }

 private:
  std::string name_;
  std::unique_ptr<Layer> inner_;
  Propagator* propagator_;
};

}  // namespace tacit::gnn
