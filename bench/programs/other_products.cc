#include "bench/programs/other_products.h"

#ifdef TACIT_OPENBLAS
#include <cblas.h>
#endif

#include <Eigen/Core>

#include "net/error.h"

namespace tacit::bench {

void eigen_product(ProductSizes sizes, bool a_transposed, const std::uint64_t* a, const std::uint64_t* b,
                   std::uint64_t* out) {
  using Matrix = Eigen::Matrix<std::uint64_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::Matrix<std::uint64_t, Eigen::Dynamic, 1>;
  const auto [rows, depth, cols] = sizes;
  const Eigen::Map<const Matrix> left(a, a_transposed ? depth : rows, a_transposed ? rows : depth);
  if (cols == 1) {  // Eigen has a separate kernel for vectors
    const Eigen::Map<const Vector> right(b, depth);
    Eigen::Map<Vector> result(out, rows);
    if (a_transposed) {
      result.noalias() = left.transpose() * right;
    } else {
      result.noalias() = left * right;
    }
    return;
  }
  const Eigen::Map<const Matrix> right(b, depth, cols);
  Eigen::Map<Matrix> result(out, rows, cols);
  if (a_transposed) {
    result.noalias() = left.transpose() * right;
  } else {
    result.noalias() = left * right;
  }
}

#ifdef TACIT_OPENBLAS

bool have_blas() { return true; }

void blas_product(ProductSizes sizes, bool a_transposed, const double* a, const double* b, double* out) {
  openblas_set_num_threads(1);
  const auto rows = static_cast<blasint>(sizes.rows), depth = static_cast<blasint>(sizes.depth),
             cols = static_cast<blasint>(sizes.cols);
  const blasint a_stride = a_transposed ? rows : depth;
  const auto turn = a_transposed ? CblasTrans : CblasNoTrans;
  if (cols == 1) {
    cblas_dgemv(CblasRowMajor, turn, a_transposed ? depth : rows, a_stride, 1, a, a_stride, b, 1, 0, out, 1);
  } else {
    cblas_dgemm(CblasRowMajor, turn, CblasNoTrans, rows, cols, depth, 1, a, a_stride, b, cols, 0, out, cols);
  }
}

#else

bool have_blas() { return false; }
void blas_product(ProductSizes, bool, const double*, const double*, double*) { TACIT_CHECK(false); }

#endif

}  // namespace tacit::bench
