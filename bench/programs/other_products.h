// Matrix products to compare ours with: Eigen's on words, compiled for this machine, and OpenBLAS'
// on doubles.
#pragma once

#include <cstdint>

namespace tacit::bench {

struct ProductSizes {
  std::int64_t rows, depth, cols;
};

// out = a·b, rows after rows; a_transposed: a is stored as depth × rows.
void eigen_product(ProductSizes sizes, bool a_transposed, const std::uint64_t* a, const std::uint64_t* b,
                   std::uint64_t* out);

// The same on doubles, on one thread.
bool have_blas();
void blas_product(ProductSizes sizes, bool a_transposed, const double* a, const double* b, double* out);

}  // namespace tacit::bench
