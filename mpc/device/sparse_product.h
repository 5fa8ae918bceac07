// A sparse matrix times a dense one over Z_2^k, on a device.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// Compressed rows, in device memory: row r has the entries row_begin[r] … row_begin[r+1]-1.
struct SparseRows {
  std::int64_t rows;
  const std::int64_t* row_begin;
  const std::int32_t* cols;
  const Word* values;
};

// out = m·x, for x and out with `cols` columns and no gaps between rows, & mask. Queued on the stream; returns 0, or the
// error of CUDA.
int sparse_product(const SparseRows& m, const Word* x, std::int64_t cols, Word* out, Word mask, int processors,
                   Stream stream);

}  // namespace tacit::mpc::device
