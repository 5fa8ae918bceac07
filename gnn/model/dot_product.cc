#include "gnn/model/dot_product.h"

#include <array>

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

Tensor DotProduct::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  const double bound = arithmetic.ranges().activations;
  at_ends_ = ends_.of(arithmetic, x, bound, name_);
  const Tensor score = arithmetic.row_products(at_ends_.from, at_ends_.to, bound, name_ + " product");
  return beside(std::array{arithmetic.zeros_like(score), score});
}

std::optional<Tensor> DotProduct::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const double bound = arithmetic.ranges().gradients;
  const Tensors by_ends = arithmetic.row_multiples(columns(gradient, 1, 2), std::array{at_ends_.to, at_ends_.from},
                                                   bound, name_ + " gradient");
  return ends_.put_back(arithmetic, {by_ends[0], by_ends[1]}, bound, name_ + " input gradient");
}

}  // namespace tacit::gnn
