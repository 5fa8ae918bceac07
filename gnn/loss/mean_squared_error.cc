#include "gnn/loss/mean_squared_error.h"

#include <algorithm>

#include "gnn/arithmetic/sums_of_products.h"

namespace tacit::gnn {

MeanSquaredError::MeanSquaredError(Arithmetic& arithmetic, const Tensor& y, Selection labelled)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())) {}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor labelled = labelled_.pick(arithmetic, z, z.bound(), z.name());
  const Tensor error = arithmetic.difference(labelled, y_, bound, "error").watched_as(Watched::kGradients);
  Result result;
  if (value == Value::kWanted) {
    // The most that the error's own ring holds, but at least 16 squared deviations a node; if need be, a lift makes
    // room.
    const double largest = std::max(largest_sum_of_products(error, error), 16 * count());
    result.total = sum_of_products(arithmetic, error, error, largest, "squared error");
  }
  result.gradient = labelled_.put_back(arithmetic, error, bound, "error").watched_as(Watched::kGradients);
  return result;
}

}  // namespace tacit::gnn
