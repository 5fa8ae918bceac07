// MeanSquaredError — the mean of (z - y)² over the labelled rows and all columns.
//
// The gradient is 2(z - y) / count. With count / 2 as the scale, it is z - y. The total, a sum of squares, opens z - y in the round
// of the backward pass' first opening. The sum has room for all errors within the range of gradients
// (gnn/arithmetic/sum_of_squares.h).
#pragma once

#include "gnn/arithmetic/sum_of_squares.h"
#include "gnn/loss/loss.h"

namespace tacit::gnn {

class MeanSquaredError final : public Loss {
 public:
  // y has a row for every node of a view. Only the `labelled` rows count.
  MeanSquaredError(Arithmetic& arithmetic, const Tensor& y, Selection labelled, const LossOptions& options = {});

  static const LossKind kKind;

  Result of(Arithmetic& arithmetic, const Tensor& z, Value value) override;
  Tensor total(Arithmetic& arithmetic, Outputs& labelled) const override;
  double scale() const override { return count() / 2; }
  double loss_per_total() const override { return 1 / count(); }

 private:
  Tensor error_of(Arithmetic& arithmetic, const Tensor& labelled) const;
  double count() const { return static_cast<double>(y_.shape().size()); }

  Selection labelled_;
  Tensor y_;  // the targets of labelled rows
  double factor_;
  std::optional<SumOfSquares> squares_;
};

PlainLoss plain_mean_squared_error(const Matrix& z, const Matrix& y, const Rows& labelled);

}  // namespace tacit::gnn
