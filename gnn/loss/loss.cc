#include "gnn/loss/loss.h"

#include "mpc/session/local.h"

namespace tacit::gnn {

mpc::SparseMatrix picking(const Rows& rows, std::int64_t of) {
  mpc::SparseMatrix m{{std::ssize(rows), of}, {0}, {}, std::vector<std::uint64_t>(rows.size(), 1), 0};
  for (const std::int64_t row : rows) {
    m.cols.push_back(static_cast<std::int32_t>(row));
    m.row_begin.push_back(m.entries());
  }
  return m;
}

Tensor sum_of_products(Arithmetic& arithmetic, const Tensor& a, const Tensor& b, double bound,
                       const std::string& name) {
  const Tensor pairs = arithmetic.matmul({a.transposed(), b, bound, name});
  const mpc::PublicMatrix diagonal(Matrix::Identity(pairs.shape().rows, pairs.shape().cols), 0, "the diagonal");
  const mpc::Share own = mpc::product(diagonal, pairs.share(), arithmetic.session().workers());
  return Tensor(mpc::row_sums(mpc::column_sums(own)), pairs.bound(), name);
}

}  // namespace tacit::gnn
