#include "gnn/loss/mean_squared_error.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

namespace {

// The largest sum of squared errors that the error's own ring holds; at least 16 squared deviations a node, for which a
// tensor is lifted where its ring is too narrow.
double largest_total(const Arithmetic& arithmetic, const Tensor& error, double count) {
  const int f = arithmetic.top().fraction_bits;
  const double held = std::ldexp(1.0, error.format().ring_bits - 2 * f - 2) - 1;
  return std::max(held, 16 * count);
}

}  // namespace

MeanSquaredError::MeanSquaredError(Arithmetic& arithmetic, const Tensor& y, Selection labelled)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())) {}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor labelled = labelled_.pick(arithmetic, z, z.bound(), z.name());
  const Tensor error = arithmetic.difference(labelled, y_, bound, "error").watched_as(Watched::kGradients);
  Result result;
  if (value == Value::kWanted) {
    result.total =
        sum_of_products(arithmetic, error, error, largest_total(arithmetic, error, count()), "squared error");
  }
  result.gradient = labelled_.put_back(arithmetic, error, bound, "error").watched_as(Watched::kGradients);
  return result;
}

}  // namespace tacit::gnn
