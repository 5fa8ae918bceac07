// Sparse matrices of random entries, for tests of the products by them.
#pragma once

#include <cstdint>
#include <random>

#include "mpc/kernels/sparse.h"
#include "mpc/ring/fixed_point.h"

namespace tacit::mpc {

// Each place has an entry, a whole number of quarters, with this probability.
inline SparseMatrix entries_in_quarters(Shape shape, double density, unsigned seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution there(density);
  std::uniform_int_distribution<int> number(-40, 40);
  SparseMatrix m{shape, {0}, {}, {}, 2};
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    for (std::int64_t c = 0; c < shape.cols; ++c) {
      if (!there(random)) continue;
      m.cols.push_back(static_cast<std::int32_t>(c));
      m.values.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(number(random))));
    }
    m.row_begin.push_back(m.entries());
  }
  return m;
}

inline Matrix dense_of_quarters(const SparseMatrix& m) {
  Matrix all = Matrix::Zero(m.shape.rows, m.shape.cols);
  for (std::int64_t r = 0; r < m.shape.rows; ++r) {
    for (std::int64_t e = m.row_begin[static_cast<std::size_t>(r)]; e < m.row_begin[static_cast<std::size_t>(r) + 1];
         ++e) {
      all(r, m.cols[static_cast<std::size_t>(e)]) =
          static_cast<double>(static_cast<std::int64_t>(m.values[static_cast<std::size_t>(e)])) / 4;
    }
  }
  return all;
}

}  // namespace tacit::mpc
