// Logit — two classes from one column z, the log-odds of the second class: a row of 0 and z, so that losses, metrics and
// predictions of classes serve a model with one output. softmax(0, z) is the sigmoid of z. Costs nothing.
#pragma once

#include "gnn/model/layer.h"

namespace tacit::gnn {

class Logit final : public Layer {
 public:
  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
};

}  // namespace tacit::gnn
