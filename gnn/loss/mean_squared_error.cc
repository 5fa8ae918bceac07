#include "gnn/loss/mean_squared_error.h"

namespace tacit::gnn {

MeanSquaredError::MeanSquaredError(Arithmetic& arithmetic, const Tensor& y, const Rows& labelled)
    : pick_(picking(labelled, y.shape().rows)),
      put_back_(pick_.transposed()),
      y_(arithmetic.matmul(pick_, y, y.bound(), y.name())) {}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor labelled = arithmetic.matmul(pick_, z, z.bound(), z.name());
  const Tensor error = arithmetic.difference(labelled, y_, bound, "error");
  Result result{arithmetic.matmul(put_back_, error, bound, "error"), {}};
  if (value == Value::kWanted) {
    result.total = sum_of_products(arithmetic, error, error, count() * bound, "squared error");
  }
  return result;
}

}  // namespace tacit::gnn
