// Relu — max(x, 0). The backward pass selects by the same bits: the slope at 0 is 0, as in PyTorch and TensorFlow.
#pragma once

#include "gnn/model/layer.h"

namespace tacit::gnn {

class Relu final : public Layer {
 public:
  // The rings of the results if the layers around it keep the factors of records: of the output, and of the gradient.
  struct OfRecords {
    int output = 0, gradient = 0;
  };
  explicit Relu(std::string name, std::optional<OfRecords> of_records = {})
      : name_(std::move(name)), of_records_(of_records) {}
  // In training, a public factor with `fraction_bits` fraction bits follows, and takes them from the ring of the output.
  void expect_factor(int fraction_bits) { factor_bits_ = fraction_bits; }

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  // The same of a gradient that is a column times a row, in one round. Empty if a ring is too narrow.
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Arithmetic::Product& gradient) const;
  void forget() override { positive_ = {}; }

 private:
  Tensor narrow(const Arithmetic& arithmetic, const Tensor& x) const;

  std::string name_;
  std::optional<OfRecords> of_records_;
  int factor_bits_ = 0;
  mpc::Bits positive_;
};

}  // namespace tacit::gnn
