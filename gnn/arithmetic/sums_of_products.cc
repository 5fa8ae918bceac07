#include "gnn/arithmetic/sums_of_products.h"

#include "mpc/session/local.h"

namespace tacit::gnn {

Tensor column_sums_of_products(Arithmetic& arithmetic, const Tensor& a, const Tensor& b, double bound,
                               const std::string& name) {
  const Tensor pairs = arithmetic.matmul({a.transposed(), b, bound, name});
  const mpc::PublicMatrix diagonal(Matrix::Identity(pairs.shape().rows, pairs.shape().cols), 0, "the diagonal");
  const mpc::Share own = mpc::product(diagonal, pairs.share(), arithmetic.session().workers());
  return Tensor(mpc::column_sums(own), pairs.bound(), name);
}

Tensor sum_of_products(Arithmetic& arithmetic, const Tensor& a, const Tensor& b, double bound,
                       const std::string& name) {
  const Tensor columns = column_sums_of_products(arithmetic, a, b, bound, name);
  return Tensor(mpc::row_sums(columns.share()), columns.bound(), name);
}

}  // namespace tacit::gnn
