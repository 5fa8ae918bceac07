// LayerNorm — each row less its mean, divided by the root of its variance. Without trained factors and shifts: Xu et al.
// (Understanding and improving layer normalization, 2019) found that these help little and overfit.
//
// Ranges, rounds and bytes: gnn/arithmetic/normalised_rows.h
#pragma once

#include "gnn/arithmetic/normalised_rows.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class LayerNorm final : public Layer {
 public:
  explicit LayerNorm(std::string name) : name_(std::move(name)) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  void forget() override { rows_ = {}; }

 private:
  std::string name_;
  NormalisedRows rows_;
};

}  // namespace tacit::gnn
