// Loops — the kernels that a compiler makes wide by itself, compiled once for each kind of instructions.
//
// n is a count of words; `mask` holds the bits of the result's ring; pointers may be equal but not overlap otherwise.
#pragma once

#include <cstdint>

#include "mpc/kernels/cpu.h"

namespace tacit::mpc {

struct Loops {
  using Word = std::uint64_t;

  void (*add)(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask);
  void (*subtract)(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask);
  void (*negate)(const Word* a, Word* out, std::int64_t n, Word mask);
  void (*multiply)(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask);
  void (*scale)(const Word* a, Word factor, Word* out, std::int64_t n, Word mask);
  void (*add_constant)(const Word* a, Word constant, Word* out, std::int64_t n, Word mask);
  void (*reduce)(const Word* a, Word* out, std::int64_t n, Word mask);
  // ((a + offset) & wide) >> bits
  void (*drop_bits)(const Word* a, int bits, Word offset, Word* out, std::int64_t n, Word wide);
  // dx·(dy - ly) - lx·dy + gamma, or with 0 for the first dy
  void (*product)(const Word* const* dx_lx_dy_ly_gamma, bool first, Word* out, std::int64_t n, Word mask);

  // out[r] = Σ_k m[r·row_stride + k]·x[k]; nothing overlaps.
  void (*dot)(const Word* m, std::int64_t row_stride, std::int64_t rows, std::int64_t depth, const Word* x, Word* out);
  // out[c] = Σ_k x[k]·m[k·row_stride + c]; nothing overlaps.
  void (*combine)(const Word* m, std::int64_t row_stride, std::int64_t depth, std::int64_t cols, const Word* x,
                  Word* out);
  // A row of sparse times dense: out[c] = Σ_e values[e]·x[cols[e]·n + c] for c below n, the row length of x.
  void (*combine_sparse)(const Word* values, const std::int32_t* cols, std::int64_t entries, const Word* x,
                         std::int64_t n, Word* out, Word mask);

  // out[64·w + i] = bit i of bits[w]
  void (*widen)(const Word* bits, std::int64_t words, Word* out);
  // Bit i of out[j] = bit j of in[i], for i and j below 64; in place, too.
  void (*transpose_bits)(const Word* in, Word* out);
};

const Loops& loops(Instructions instructions);

// Defined in loops_*.cc. The functions for other processor architectures exist only there.
const Loops& loops_portable();
const Loops& loops_avx2();
const Loops& loops_avx512();

}  // namespace tacit::mpc
