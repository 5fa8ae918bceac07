#include "gnn/loss/mean_squared_error.h"

#include "mpc/session/local.h"

namespace tacit::gnn {

mpc::SparseMatrix keeping_rows(const Rows& rows, std::int64_t of) {
  mpc::SparseMatrix m{{of, of}, {0}, {}, {}, 0};
  auto next = rows.begin();
  for (std::int64_t row = 0; row < of; ++row) {
    if (next != rows.end() && *next == row) {
      m.cols.push_back(static_cast<std::int32_t>(row));
      m.values.push_back(1);
      ++next;
    }
    m.row_begin.push_back(m.entries());
  }
  return m;
}

MeanSquaredError::MeanSquaredError(Tensor y, Rows labelled)
    : y_(std::move(y)), labelled_(std::move(labelled)), keep_labelled_(keeping_rows(labelled_, y_.shape().rows)) {}

MeanSquaredError::Result MeanSquaredError::of(Arithmetic& arithmetic, const Tensor& z) {
  const double bound = arithmetic.ranges().gradients;
  const Tensor difference = arithmetic.difference(z, y_, bound, "error");
  const Tensor error = arithmetic.matmul(keep_labelled_, difference, bound, "error");
  // Of all products of columns, those of a column with itself are added up.
  const Tensor squares = arithmetic.matmul({error.transposed(), error, count() * bound, "squared error"});
  const mpc::PublicMatrix diagonal(Matrix::Identity(squares.shape().rows, squares.shape().cols), 0, "the diagonal");
  const mpc::Share sums = mpc::product(diagonal, squares.share(), arithmetic.session().workers());
  return {error, Tensor(mpc::row_sums(mpc::column_sums(sums)), squares.bound(), "squared error")};
}

}  // namespace tacit::gnn
