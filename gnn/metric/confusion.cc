#include "gnn/metric/confusion.h"

#include <cmath>

#include "gnn/arithmetic/likeliest.h"

namespace tacit::gnn {

Tensor Confusion::of(Arithmetic& arithmetic, const Tensor& z) const {
  const auto most = static_cast<double>(z.shape().rows);
  return arithmetic.matmul({y_.transposed(), largest_in_rows(arithmetic, z), most, "confusion"});
}

Measured Confusion::read(const Matrix& revealed) const {
  Matrix counts = revealed.unaryExpr([](double count) { return std::round(count); });
  return {counts.trace() / static_cast<double>(y_.shape().rows), std::move(counts)};
}

}  // namespace tacit::gnn
