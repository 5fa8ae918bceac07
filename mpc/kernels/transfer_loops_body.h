// The loops of transfer_loops.h, included once by every transfer_loops_*.cc, which differ in the compiler's options only.
//
// Do not call an inline function of the standard library here: the linker keeps one copy for the whole program, perhaps this one,
// and older processors would fail on its instructions.
#pragma once

#include "mpc/kernels/transfer_loops.h"

namespace tacit::mpc {
namespace {

using Word = std::uint64_t;

constexpr int kRows = 128;

// Swaps the upper right and the lower left quarters of all squares of 2·kHalf bits.
template <int kMatrices, int kHalf>
inline void swap_quarters(Word* words) {
  constexpr int kRowWords = 2 * kMatrices;
  Word mask = 0;
  for (int i = 0; i < 64; i += 2 * kHalf) mask |= (~Word{0} >> (64 - kHalf)) << i;
  for (int begin = 0; begin < kRows; begin += 2 * kHalf) {
    Word* const __restrict a = words + begin * kRowWords;
    Word* const __restrict b = a + kHalf * kRowWords;
    for (int i = 0; i < kHalf * kRowWords; ++i) {
      const Word change = ((a[i] >> kHalf) ^ b[i]) & mask;
      b[i] ^= change;
      a[i] ^= change << kHalf;
    }
  }
}

template <int kMatrices>
void transpose(Word* words) {
  constexpr int kHalf = kRows / 2 * kMatrices * 2;
  for (int i = 0; i < kHalf; i += 2) {
    const Word high = words[i + 1];
    words[i + 1] = words[i + kHalf];
    words[i + kHalf] = high;
  }
  swap_quarters<kMatrices, 32>(words);
  swap_quarters<kMatrices, 16>(words);
  swap_quarters<kMatrices, 8>(words);
  swap_quarters<kMatrices, 4>(words);
  swap_quarters<kMatrices, 2>(words);
  swap_quarters<kMatrices, 1>(words);
}

// One level: the odd nodes' sum is a row, and the sums of pairs are the next level.
template <int kRowWords, int kPairs>
inline void add_level(Word* leaves, Word* row) {
  for (int i = 0; i < kRowWords; ++i) {
    Word odd = 0;
    for (int p = 0; p < kPairs; ++p) {
      const Word right = leaves[(2 * p + 1) * kRowWords + i];
      odd ^= right;
      leaves[p * kRowWords + i] = leaves[2 * p * kRowWords + i] ^ right;
    }
    row[i] = odd;
  }
}

template <int kMatrices>
void add_leaves(Word* leaves, Word* rows, Word* sum) {
  constexpr int kRowWords = 2 * kMatrices;
  static_assert(TransferLoops::kTreeDepth == 4);
  add_level<kRowWords, 8>(leaves, rows);
  add_level<kRowWords, 4>(leaves, rows + kRowWords);
  add_level<kRowWords, 2>(leaves, rows + 2 * kRowWords);
  add_level<kRowWords, 1>(leaves, rows + 3 * kRowWords);
  for (int i = 0; i < kRowWords; ++i) sum[i] = leaves[i];
}

constexpr TransferLoops kTransferLoops = {transpose<1>, transpose<TransferLoops::kTogether>, add_leaves<1>,
                                          add_leaves<TransferLoops::kTogether>};

}  // namespace
}  // namespace tacit::mpc
