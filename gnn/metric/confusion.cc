#include "gnn/metric/confusion.h"

#include <cmath>

namespace tacit::gnn {

Tensor Confusion::of(Arithmetic& arithmetic, Outputs& outputs) const {
  const auto most = static_cast<double>(y_.shape().rows);
  return arithmetic.matmul({y_.transposed(), outputs.likeliest(arithmetic), most, "confusion"});
}

Measured Confusion::read(const Matrix& revealed) const {
  Matrix counts = revealed.unaryExpr([](double count) { return std::round(count); });
  return {counts.trace() / static_cast<double>(y_.shape().rows), std::move(counts)};
}

}  // namespace tacit::gnn
