#include "gnn/model/layer_norm.h"

#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

Tensor LayerNorm::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  rows_ = normalised_rows(arithmetic, x, kNormEpsilon, name_);
  return rows_.y;
}

std::optional<Tensor> LayerNorm::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  return normalised_rows_gradient(arithmetic, rows_, gradient, name_ + " gradient");
}

}  // namespace tacit::gnn
