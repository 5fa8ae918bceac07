// Relu — max(x, 0). The backward pass selects by the same bits.
#pragma once

#include "gnn/model/layer.h"
#include "gnn/model/record_gradients.h"

namespace tacit::gnn {

class Relu final : public Layer {
 public:
  explicit Relu(std::string name, Gradients gradients = Gradients::kSums)
      : name_(std::move(name)), gradients_(gradients) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  void forget() override { positive_ = {}; }

 private:
  double largest_product(const Arithmetic& arithmetic, double otherwise) const;

  std::string name_;
  Gradients gradients_;
  mpc::Bits positive_;
};

}  // namespace tacit::gnn
