#include "gnn/loss/mean_squared_error.h"

namespace tacit::gnn {

MeanSquaredError::MeanSquaredError(Arithmetic& arithmetic, const Tensor& y, Selection labelled)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())) {}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor labelled = labelled_.pick(arithmetic, z, z.bound(), z.name());
  const Tensor error = arithmetic.difference(labelled, y_, bound, "error");
  Result result{labelled_.put_back(arithmetic, error, bound, "error"), {}};
  if (value == Value::kWanted) {
    result.total = sum_of_products(arithmetic, error, error, count() * bound, "squared error");
  }
  return result;
}

}  // namespace tacit::gnn
