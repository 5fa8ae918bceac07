// Relu — max(x, 0). The backward pass selects by the same bits.
#pragma once

#include "gnn/model/layer.h"

namespace tacit::gnn {

class Relu final : public Layer {
 public:
  explicit Relu(std::string name) : name_(std::move(name)) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  void forget() override { positive_ = {}; }

 private:
  std::string name_;
  mpc::Bits positive_;
};

}  // namespace tacit::gnn
