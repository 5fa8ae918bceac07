// Residual — a layer's output plus its input.
#pragma once

#include <memory>

#include "gnn/model/layer.h"

namespace tacit::gnn {

class Residual final : public Layer {
 public:
  Residual(std::string name, std::unique_ptr<Layer> inner) : name_(std::move(name)), inner_(std::move(inner)) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override {
    return arithmetic.sum(inner_->forward(arithmetic, x, pass), x, arithmetic.ranges().activations, name_);
  }
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override {
    const std::optional<Tensor> through = inner_->backward(arithmetic, gradient);
    if (!through) return std::nullopt;
    return arithmetic.sum(*through, gradient, arithmetic.ranges().gradients, name_ + " input gradient");
  }
  std::vector<Parameter*> parameters() override { return inner_->parameters(); }

 private:
  std::string name_;
  std::unique_ptr<Layer> inner_;
};

}  // namespace tacit::gnn
