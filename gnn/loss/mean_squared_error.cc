#include "gnn/loss/mean_squared_error.h"

#include <algorithm>

#include "gnn/arithmetic/sums_of_products.h"

namespace tacit::gnn {

const LossKind MeanSquaredError::kKind = {
    .of_classes = false,
    .largest_gradient = 2,
    .scale = [](std::int64_t rows, std::int64_t columns) { return static_cast<double>(rows * columns) / 2; },
    .largest_slope = [](double outputs, double targets) { return outputs + targets; },
    .make = [](Arithmetic& arithmetic, const Tensor& y, const Selection& labelled, const LossOptions& options)
        -> std::unique_ptr<Loss> { return std::make_unique<MeanSquaredError>(arithmetic, y, labelled, options); },
    .plain = [](const Matrix& z, const Matrix& y, const Rows& labelled,
                const PlainLossOptions&) { return plain_mean_squared_error(z, y, labelled); },
};

MeanSquaredError::MeanSquaredError(Arithmetic& arithmetic, const Tensor& y, Selection labelled,
                                   const LossOptions& options)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())), factor_(options.factor) {}

Tensor MeanSquaredError::error_of(Arithmetic& arithmetic, const Tensor& labelled) const {
  const double bound = arithmetic.ranges().gradients;
  return arithmetic.difference(labelled, y_, bound, "error").watched_as(Watched::kGradients);
}

// The most that the error's own ring holds, but at least 16 squared deviations a node. The range watch does not see the sum. If the
// ring is narrower than that of a usual product, the error is therefore lifted where errors in their range may have a larger sum.
double MeanSquaredError::largest_sum(const Arithmetic& arithmetic, const Tensor& error) const {
  const mpc::Format top = arithmetic.top();
  const double usual = std::ldexp(1.0, top.ring_bits - 3 * top.fraction_bits - 2) - 1;  // held by such a ring
  const double needed = std::min(count() * error.bound() * error.bound(), usual);
  return std::max({largest_sum_of_products(error, error), 16 * count(), needed});
}

bool MeanSquaredError::has_room(const Arithmetic& arithmetic, const Tensor& error) const {
  const mpc::Format format = error.format();
  return format.ring_bits == arithmetic.top().ring_bits ||
         mpc::room_for(2 * format.fraction_bits, largest_sum(arithmetic, error)) <= format.ring_bits;
}

Tensor MeanSquaredError::sum_of_squares(Arithmetic& arithmetic, const Tensor& error) const {
  const double most = largest_sum(arithmetic, error);
  return has_room(arithmetic, error) ? sum_of_products(arithmetic, error, error, most, "squared error")
                                     : arithmetic.sum_of_squares(error, most, "squared error");
}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor error = error_of(arithmetic, labelled_.pick(arithmetic, z, z.bound(), z.name()));
  const Tensor gradient =
      factor_ == 1 ? error : arithmetic.scaled(error, factor_, {.least_bits = Arithmetic::kFactorBits});
  Result result{labelled_.put_back(arithmetic, gradient, bound, "error").watched_as(Watched::kGradients), {}};
  if (value == Value::kWanted) {
    has_room(arithmetic, error) ? arithmetic.mask_with_next(std::span(&error, 1)) : arithmetic.show_with_next(error);
    result.total = [this, &arithmetic, error] { return sum_of_squares(arithmetic, error); };
  }
  return result;
}

Tensor MeanSquaredError::total(Arithmetic& arithmetic, Outputs& labelled) const {
  return sum_of_squares(arithmetic, error_of(arithmetic, labelled.z()));
}

PlainLoss plain_mean_squared_error(const Matrix& z, const Matrix& y, const Rows& labelled) {
  PlainLoss loss{0, Matrix::Zero(z.rows(), z.cols())};
  const double count = static_cast<double>(std::ssize(labelled) * z.cols());
  for (const std::int64_t row : labelled) {
    const auto error = (z.row(row) - y.row(row)).eval();
    loss.value += error.squaredNorm() / count;
    loss.gradient.row(row) = 2 / count * error;
  }
  return loss;
}

}  // namespace tacit::gnn
