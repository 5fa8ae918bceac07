#include "gnn/metric/accuracy.h"

#include "gnn/arithmetic/sums_of_products.h"

namespace tacit::gnn {

Tensor Accuracy::of(Arithmetic& arithmetic, Outputs& outputs) const {
  const auto most = static_cast<double>(y_.shape().rows);
  return sum_of_products(arithmetic, outputs.likeliest(arithmetic), y_, most, "correct");
}

Measured Accuracy::read(const Matrix& revealed) const {
  return {revealed(0, 0) / static_cast<double>(y_.shape().rows), {}};
}

}  // namespace tacit::gnn
