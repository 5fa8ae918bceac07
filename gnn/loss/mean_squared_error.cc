#include "gnn/loss/mean_squared_error.h"

#include <fmt/format.h>

#include <algorithm>

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
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())), factor_(options.factor) {
  if (!options.valued) return;
  const std::int64_t rows = std::max(options.rows_in_all, y_.shape().rows);
  squares_.emplace(arithmetic, arithmetic.ranges().gradients, rows * y_.shape().cols, arithmetic.top().fraction_bits,
                   SumOfSquares::Named{fmt::format("the mean squared error over {} rows", rows), "[ranges] gradients"});
}

Tensor MeanSquaredError::error_of(Arithmetic& arithmetic, const Tensor& labelled) const {
  const double bound = arithmetic.ranges().gradients;
  return arithmetic.difference(labelled, y_, bound, "error").watched_as(Watched::kGradients);
}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor error = error_of(arithmetic, labelled_.pick(arithmetic, z, z.bound(), z.name()));
  const Tensor gradient =
      factor_ == 1 ? error : arithmetic.scaled(error, factor_, {.least_bits = Arithmetic::kFactorBits});
  Result result{labelled_.put_back(arithmetic, gradient, bound, "error").watched_as(Watched::kGradients), {}};
  if (value == Value::kWanted) {
    const Tensor squared = squares_.value().rounded(arithmetic, error).watched_as(Watched::kGradients);
    squares_->open_with_next(arithmetic, squared);
    result.total = [this, &arithmetic, squared] { return squares_->of_all(arithmetic, squared); };
  }
  return result;
}

Tensor MeanSquaredError::total(Arithmetic& arithmetic, Outputs& labelled) const {
  const Tensor error = squares_.value().rounded(arithmetic, error_of(arithmetic, labelled.z()));
  return squares_->of_all(arithmetic, error.watched_as(Watched::kGradients));
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
