// How the panels of tiles.h are filled: included by every tiles_*.cc, which differ in the compiler's options.
//
// Do not call an inline function of the standard library here, for the reason in loops_body.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpc/kernels/tiles.h"

namespace tacit::mpc {
namespace {

using Word = std::uint64_t;

// Rows of a large matrix lie in pages of their own, where the processor expects nothing yet.
constexpr int kRowsAhead = 6;
constexpr int kCacheLine = 8;  // words
constexpr int kDeepest = 320;  // a panel of rows stays in the innermost cache

// The forms of a word in panels: itself, or itself and its upper half, all rows or columns of the one before the other.
struct OneForm {
  static constexpr int kForms = 1;
  static Word second(Word) { return 0; }
};

struct UpperHalf {
  static constexpr int kForms = 2;
  static Word second(Word word) { return word >> 32; }
};

template <class Form, int kRows>
void pack_rows(const Word* from, std::int64_t row_stride, std::int64_t depth_stride, std::int64_t rows,
               std::int64_t depth, Word* panel, std::int64_t stride) {
  Word* seconds = panel + kRows * stride;
  for (std::int64_t r = 0; r < rows; ++r) {
    const Word* in = from + r * row_stride;
    Word* out = panel + r * stride;
    Word* second = seconds + r * stride;
    if (depth_stride == 1) {
      for (std::int64_t k = 0; k < depth; ++k) out[k] = in[k];
    } else {
      for (std::int64_t k = 0; k < depth; ++k) out[k] = in[k * depth_stride];
    }
    if (Form::kForms == 2) {
      for (std::int64_t k = 0; k < depth; ++k) second[k] = Form::second(out[k]);
    }
  }
}

// One row of a panel of columns.
template <class Form, int kCols>
void pack_words(const Word* in, std::int64_t stride, std::int64_t count, Word* out) {
  for (int c = 0; c < kCols; ++c) out[c] = c < count ? in[c * stride] : 0;
  if (Form::kForms == 2) {
    for (int c = 0; c < kCols; ++c) out[kCols + c] = Form::second(out[c]);
  }
}

// Packs row by row if rows are contiguous in memory, else panel by panel.
template <class Form, int kCols>
void pack_cols(const Word* from, std::int64_t depth_stride, std::int64_t col_stride, std::int64_t depth,
               std::int64_t count, Word* panels, std::int64_t panel_words) {
  constexpr int kStep = kCols * Form::kForms;
  const std::int64_t whole = col_stride == 1 ? count / kCols * kCols : 0;
  for (std::int64_t k = 0; k < depth; ++k) {
    const Word* in = from + k * depth_stride;
    Word* out = panels + k * kStep;
    for (std::int64_t c = 0; c < whole; c += kCols, out += panel_words) {
      for (int line = 0; line < kCols; line += kCacheLine)
        __builtin_prefetch(in + kRowsAhead * depth_stride + c + line);
      pack_words<Form, kCols>(in + c, 1, kCols, out);
    }
  }
  for (std::int64_t c = whole; c < count; c += kCols) {
    Word* out = panels + c / kCols * panel_words;
    for (std::int64_t k = 0; k < depth; ++k) {
      pack_words<Form, kCols>(from + k * depth_stride + c * col_stride, col_stride, count - c, out + k * kStep);
    }
  }
}

inline Word merged(Word before, Word sum, Into into, Word mask) {
  if (into == Into::kAdd) sum = before + sum;
  if (into == Into::kSubtract) sum = before - sum;
  return sum & mask;
}

}  // namespace
}  // namespace tacit::mpc
