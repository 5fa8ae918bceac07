// A public sparse matrix (CSR) times a dense one over Z_2^k: local, and never made dense.
#pragma once

#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// Row r holds the entries row_begin[r] … row_begin[r+1]-1, columns ascending within a row.
struct SparseMatrix {
  Shape shape;
  std::vector<std::int64_t> row_begin;
  std::vector<std::int32_t> cols;
  std::vector<std::uint64_t> values;  // mod 2^64: signed fixed point
  int fraction_bits = 0;

  std::int64_t entries() const { return static_cast<std::int64_t>(cols.size()); }
  SparseMatrix transposed() const;
};

// Throws ConfigError, naming row and entry, unless it is well formed.
void check(const SparseMatrix& matrix);

// out = m·x in out's ring; out overlaps nothing.
void matmul(const SparseMatrix& m, const RingTensor& x, RingTensor& out, Workers& workers);

}  // namespace tacit::mpc
