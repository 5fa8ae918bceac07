// clip_factor computes, for each record of a batch, the factor s that scales its gradient to a length of at most C:
// s·|g| <= C for every record, whatever its numbers are.
//
// The gradient of a layer's weights is the outer product of the layer's inputs a and of the gradients d by its outputs;
// the gradient of its bias is d. So |g|² = Σ_l (|a_l|² + 1)·|d_l|², and no gradient of a record is made (ghost norms).
//
//   N >= |g|²      from the squared lengths of the rows; every drop (truncation) is followed by the largest error that it
//                  can make, so N is never too small
//   [N >= C²·4^j]  for j = 0 … octaves-1. With N = C²·u·4^w, 1/4 <= u < 1, both u and 2^-w are linear in the bits. Both
//                  are 0 below C²
//   s              (1 - 2^-10)/sqrt u · 2^-w by one look-up, less the largest error of its drop; plus 1 - [N >= C²]
//
// This is inverse_square_root with thresholds that begin at C², and with errors that go one way only.
//
// Requires    |g|² + ClipWidths::excess() <= C²·4^octaves, and at most 256 parties. For a larger |g|² the bound does not
//             hold, and nothing tells it: prove the range from declared ranges, do not sample it
// Error       s·|g| <= C, in whole numbers. For up to 16 parties, s >= 0.995·C/sqrt N, less n + 2 units; where N < C², s is
//             1, less n + 2 units
// Result      s, a column with clip.factor_bits fraction bits, in the ring of ring_bits. With `counted`, a column of 1 for a
//             record and 0 for an empty row, s is exactly 0 for an empty row
// Rounds      6
// Sends       a record: 2L·p + k + 2mJ + 14 + W + (F + 3) bits to each peer: L layers, J octaves, F factor bits,
//             k = 17 + 2J, W = 31 + J, p = ClipWidths::product_ring, m groups of a comparison of k - 2 bits
// Consumes    a record: 2L words of the ring of a and of d; L·p bits; the comparisons; J·(W + k) bits; two tables of 32
//             words of W bits; 2·(ring_bits - F - 3) bits
//             With `counted`, a record sends 4 bits and a comparison of 3 bits more, and is dealt the comparison and
//             2·ring_bits + 2·(ring_bits - F - 3) bits more: counted is shown and compared together with N, and the last
//             lift becomes a selection by its bit
// Reveals     nothing, not even how many records were clipped
// Papers      Goodfellow, Efficient Per-Example Gradient Computations, 2015; Li, Tramèr, Liang, Hashimoto, ICLR 2022
//             (ghost norms). Abadi and others, CCS 2016 (clipping; here in whole numbers, and the length bounds what a
//             record adds exactly). Mironov, CCS 2012 (why floating-point numbers would not do)
#pragma once

#include <span>

#include "mpc/session/session.h"

namespace tacit::mpc {

// One layer: its inputs a, and the gradients d by its outputs, a row for each record.
struct LayerRecords {
  Masked inputs, gradients;
  bool bias = true;
};

// The squared lengths of the rows of one layer, |a|² and |d|², as columns.
struct SquaredLengths {
  Share inputs, gradients;
  bool bias = true;
};

struct Clip {
  int log_clip = 0;      // C = 2^log_clip, -8 … 7; the scale of the gradients absorbs the rest
  int octaves = 1;       // 1 … 12
  int factor_bits = 19;  // fraction bits of s
};

// The widths in which squared norms are computed, from the ring and the fraction bits of the squared lengths.
struct ClipWidths {
  int norm_bits = 0;     // fraction bits of N
  int norm_ring = 0;     // k
  int length_bits = 0;   // fraction bits of the squared lengths that are multiplied, at most 16
  int product_ring = 0;  // p

  // By how much N can exceed |g|², for layers with these largest squared lengths.
  struct Largest {
    double inputs = 0, gradients = 0;
  };
  double excess(std::span<const Largest> layers, int parties) const;
};
// Throws ConfigError if the ring has less than 8 bits for the squared lengths.
ClipWidths clip_widths(std::span<const Format> squared_lengths, const Clip& clip);

// `counted`: null if every row is a record; whole numbers, without fraction bits.
Share clip_factor(Session& session, std::span<const SquaredLengths> layers, const Clip& clip, int ring_bits,
                  const Share* counted = nullptr);
// The squared lengths by row_product: 0 rounds more.
Share clip_factor(Session& session, std::span<const LayerRecords> layers, const Clip& clip, int ring_bits,
                  const Share* counted = nullptr);

}  // namespace tacit::mpc
