// Bit planes on AVX-512, for loops_avx512.cc: the bits of a plane come from byte columns, 64 bytes to a register.
//
// This file calls no inline function of the standard library, for the reason in loops_body.h.
#pragma once

#include <immintrin.h>

#include "mpc/kernels/loops.h"

namespace tacit::mpc {
namespace {

// columns[c]: byte c of each of the 64 words.
void byte_columns(const std::uint64_t* words, __m512i flip, __m512i constant, __m512i* columns) {
  // In each 128 bits: the bytes of both words side by side. Then in all 512: the eight bytes of a column side by side.
  const __m512i pairs = _mm512_broadcast_i32x4(_mm_set_epi8(15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0));
  const __m512i gather = _mm512_set_epi16(31, 23, 15, 7, 30, 22, 14, 6, 29, 21, 13, 5, 28, 20, 12, 4, 27, 19, 11, 3, 26,
                                          18, 10, 2, 25, 17, 9, 1, 24, 16, 8, 0);
  __m512i rows[8], squares[8];
  for (int v = 0; v < 8; ++v) {
    const __m512i eight = _mm512_add_epi64(_mm512_xor_si512(_mm512_loadu_si512(words + 8 * v), flip), constant);
    rows[v] = _mm512_permutexvar_epi16(gather, _mm512_shuffle_epi8(eight, pairs));
  }
  // The transposition of 8 x 8 words: pairs of rows, then twice the lanes of two registers.
  for (int v = 0; v < 8; v += 2) {
    squares[v] = _mm512_unpacklo_epi64(rows[v], rows[v + 1]);
    squares[v + 1] = _mm512_unpackhi_epi64(rows[v], rows[v + 1]);
  }
  for (int odd = 0; odd < 2; ++odd) {
    const __m512i even_upper = _mm512_shuffle_i64x2(squares[odd], squares[2 + odd], 0x88);
    const __m512i odd_upper = _mm512_shuffle_i64x2(squares[odd], squares[2 + odd], 0xdd);
    const __m512i even_lower = _mm512_shuffle_i64x2(squares[4 + odd], squares[6 + odd], 0x88);
    const __m512i odd_lower = _mm512_shuffle_i64x2(squares[4 + odd], squares[6 + odd], 0xdd);
    columns[odd] = _mm512_shuffle_i64x2(even_upper, even_lower, 0x88);
    columns[4 + odd] = _mm512_shuffle_i64x2(even_upper, even_lower, 0xdd);
    columns[2 + odd] = _mm512_shuffle_i64x2(odd_upper, odd_lower, 0x88);
    columns[6 + odd] = _mm512_shuffle_i64x2(odd_upper, odd_lower, 0xdd);
  }
}

void bit_planes_512(const PlanesWords& of, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kAtOnce = 8;
  const __m512i flip = _mm512_set1_epi64(static_cast<long long>(of.flip));
  const __m512i constant = _mm512_set1_epi64(static_cast<long long>(of.constant));
  std::uint64_t planes[64][kAtOnce];
  for (std::int64_t at = begin; at < end; at += kAtOnce) {
    const std::int64_t n = end - at < kAtOnce ? end - at : kAtOnce;
    for (std::int64_t b = 0; b < n; ++b) {
      __m512i columns[8];
      byte_columns(of.words + (at + b) * 64, flip, constant, columns);
      for (int j = 0; j < of.count; ++j) {
        const int bit = of.first + j;
        planes[j][b] = _mm512_test_epi8_mask(columns[bit / 8], _mm512_set1_epi8(static_cast<char>(1 << bit % 8)));
      }
    }
    const auto made = static_cast<__mmask8>((1 << n) - 1);
    for (int j = 0; j < of.count; ++j) {
      _mm512_mask_storeu_epi64(of.out[j] + at, made, _mm512_maskz_loadu_epi64(made, planes[j]));
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
