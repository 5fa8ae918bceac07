// MeanSquaredError — the mean of (z - y)² over the labelled rows and all columns.
//
// Its gradient is 2(z - y) / count: with count / 2 for a scale, z - y. The total, a sum of squares, costs one dealt
// word for each pair of columns, and the mask of z - y serves the backward pass too.
#pragma once

#include "gnn/loss/loss.h"

namespace tacit::gnn {

class MeanSquaredError final : public Loss {
 public:
  // y has a row for every node, of which `labelled` count.
  MeanSquaredError(Tensor y, Rows labelled);

  Result of(Arithmetic& arithmetic, const Tensor& z) override;
  double scale() const override { return count() / 2; }
  double loss_per_total() const override { return 1 / count(); }

 private:
  double count() const { return static_cast<double>(std::ssize(labelled_) * y_.shape().cols); }

  Tensor y_;
  Rows labelled_;
  mpc::SparseMatrix keep_labelled_;
};

// The identity, but zero at rows that are not among these.
mpc::SparseMatrix keeping_rows(const Rows& rows, std::int64_t of);

}  // namespace tacit::gnn
