// How the panels of tiles.h are filled: included by every tiles_*.cc, which differ in the compiler's options.
//
// As in loops_body.h, nothing here may call an inline function of the standard library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpc/kernels/tiles.h"

namespace tacit::mpc {
namespace {

using Word = std::uint64_t;

struct OneForm {
  static constexpr int kForms = 1;
  static Word second(Word) { return 0; }
};

struct UpperHalf {
  static constexpr int kForms = 2;
  static Word second(Word word) { return word >> 32; }
};

struct CrossTerms52 {
  static constexpr int kForms = 2;
  static Word second(Word word) { return ((word & 0xFFF) << 14) | ((word >> 52) << 38); }
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

template <class Form, int kCols>
void pack_cols(const Word* from, std::int64_t depth_stride, std::int64_t col_stride, std::int64_t depth,
               std::int64_t count, Word* panel) {
  constexpr int kStep = kCols * Form::kForms;
  if (col_stride == 1 && count == kCols) {
    for (std::int64_t k = 0; k < depth; ++k) {
      const Word* in = from + k * depth_stride;
      Word* out = panel + k * kStep;
      for (int c = 0; c < kCols; ++c) out[c] = in[c];
      if (Form::kForms == 2) {
        for (int c = 0; c < kCols; ++c) out[kCols + c] = Form::second(in[c]);
      }
    }
    return;
  }
  for (std::int64_t c = 0; c < kCols; ++c) {
    const Word* in = from + c * col_stride;
    Word* out = panel + c;
    const bool there = c < count;
    for (std::int64_t k = 0; k < depth; ++k) {
      const Word word = there ? in[k * depth_stride] : 0;
      out[k * kStep] = word;
      if (Form::kForms == 2) out[k * kStep + kCols] = Form::second(word);
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
