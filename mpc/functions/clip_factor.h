// clip_factor computes, for each record of a batch, the factor s that scales its gradient to a length of at most C:
// s·|g| <= C for every record and all inputs.
//
// The gradient of a layer's weights is the outer product of the layer's inputs a and of the gradients d by its outputs;
// the gradient of its bias is d. Therefore |g|² = Σ_l (|a_l|² + 1)·|d_l|², and no gradient of a record is made (ghost norms).
//
//   N >= |g|²      from the squared lengths of the rows; every drop (truncation) is followed by the largest error that it
//                  can make, so N is never too small
//   [N >= C²·4^j]  for j = 0 … octaves-1. With N = C²·u·4^w, 1/4 <= u < 1, both u and 2^-w are linear in the bits. Both
//                  are 0 below C²
//   s              (1 - margin)/sqrt u · 2^-w by one look-up, less the largest error of its drop; plus 1 - [N >= C²]. The
//                  margin is 2^-10 for up to 3 parties (ClipMargins). The sum is multiplied by 1 - rounding, for a caller
//                  that rounds the product of s and a or d
//
// The rings of a and d are as narrow as the caller's sums need; N does not fit them. The squared lengths are therefore shown
// in the rings that their bounds need, and lifted by the product itself (lifted_product.h).
//
// This is inverse_square_root with thresholds that begin at C², and with errors that go one way only.
//
// Requires    |g|² + ClipWidths::excess() <= C²·4^octaves, |a|² and |d|² within their bounds, and at most 256 parties. For
//             a larger length the bound does not hold, and no check finds it: prove the range from declared ranges, do not
//             sample it
// Error       s·|g| <= (1 - rounding)·C, in whole numbers. For up to 16 parties, s >= 0.995·(1 - rounding)·C/sqrt N, less
//             n + 2 units. If N < C², s is 1 - rounding, less n + 3 units
// Result      s, a column with clip.factor_bits fraction bits, in the ring of ring_bits. With `counted`, a column of 1 for a
//             record and 0 for an empty row, s is exactly 0 for an empty row
// Rounds      6
// Sends       a record: Σ q + k + 2mJ + 14 + W + (F + 3) bits to each peer: J octaves, F factor bits, k = 17 + 2J,
//             W = 31 + J, q = ClipWidths::shown_ring of each squared length, m groups of a comparison of k - 2 bits
// Consumes    a record: a word of the ring of each a and d; the lifted products; the comparisons; J·(W + k) bits; two
//             tables of 32 words of W bits; 2·(ring_bits - F - 3) bits
//             With `counted`, a record sends 4 bits and a comparison of 3 bits more, and is dealt the comparison and
//             2·ring_bits + 2·(ring_bits - F - 3) bits more: counted is shown and compared together with N, and the last
//             lift becomes a selection by its bit
// Reveals     nothing, not even how many records were clipped
// Papers      Goodfellow, Efficient Per-Example Gradient Computations, 2015; Li, Tramèr, Liang, Hashimoto, ICLR 2022
//             (ghost norms). Abadi and others, CCS 2016 (clipping; here in whole numbers, and the length bounds what a
//             record adds exactly). Mironov, CCS 2012 (why floating-point numbers would not do)
#pragma once

#include <limits>
#include <span>

#include "mpc/session/session.h"

namespace tacit::mpc {

// The largest |a|² and |d|² of any record, in real terms. Infinite: no bound but the ring.
struct LargestSquares {
  double inputs = std::numeric_limits<double>::infinity();
  double gradients = std::numeric_limits<double>::infinity();
};

// The inputs a of one layer, and the gradients d by its outputs, a row for each record.
struct LayerRecords {
  Masked inputs, gradients;
  bool bias = true;
  LargestSquares squared = {};
};

// The squared lengths of the rows of one layer, |a|² and |d|², as columns.
struct SquaredLengths {
  Share inputs, gradients;
  bool bias = true;
  LargestSquares squared = {};
};

struct Clip {
  int log_clip = 0;      // C = 2^log_clip, -8 … 7; the scale of the gradients absorbs the rest
  int octaves = 1;       // 1 … 12
  int factor_bits = 19;  // fraction bits of s
  double rounding = 0;   // the part of C that is left for the roundings of s·a or s·d; below 1/4
};

// The widths in which squared norms are computed, from the squared lengths' formats and bounds.
struct ClipWidths {
  int norm_bits = 0;     // fraction bits of N
  int norm_ring = 0;     // k
  int length_bits = 0;   // fraction bits of the squared lengths that are multiplied, at most 16
  int product_ring = 0;  // of the lifted products

  // A squared length before bits are dropped, with 1 for the bias.
  struct Length {
    Format format;
    double largest = 0;
  };
  // The ring in which a length is shown: q.
  int shown_ring(const Length& length) const;
  // By how much N can exceed |g|², for layers with these largest squared lengths.
  double excess(std::span<const LargestSquares> layers, int parties) const;
};
// Throws ConfigError if a length does not fit its ring, or if less than 8 fraction bits are left for the lengths.
ClipWidths clip_widths(std::span<const ClipWidths::Length> squared_lengths, const Clip& clip);
// The ring that squared lengths up to `largest` need, with 1 for the bias.
int ring_of_squares(double largest, int fraction_bits);  // more than any ring has, if there is no bound

// `counted`: null if every row is a record; whole numbers, without fraction bits.
Share clip_factor(Session& session, std::span<const SquaredLengths> layers, const Clip& clip, int ring_bits,
                  const Share* counted = nullptr);
// The squared lengths by row_product: 0 rounds more.
Share clip_factor(Session& session, std::span<const LayerRecords> layers, const Clip& clip, int ring_bits,
                  const Share* counted = nullptr);

}  // namespace tacit::mpc
