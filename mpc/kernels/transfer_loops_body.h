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

void change_nodes(Word* __restrict nodes, std::int64_t size, const Word* kept, const Word* places,
                  const Word* changes) {
  constexpr int kNodeWords = 8;
  Word keep[kNodeWords], place[kNodeWords], change[kNodeWords];
  for (int i = 0; i < kNodeWords; ++i) {
    keep[i] = kept[i];
    place[i] = places[i];
    change[i] = changes[i];
  }
  for (std::int64_t x = 0; x < size; ++x) {
    for (int i = 0; i < kNodeWords; ++i) {
      const Word here = 0 - static_cast<Word>(place[i] == static_cast<Word>(x));
      nodes[x * kNodeWords + i] = (nodes[x * kNodeWords + i] & keep[i]) ^ (change[i] & here);
    }
  }
}

using Pair = Word __attribute__((vector_size(16), may_alias));

void add_rows(Word* out, std::int64_t rows, const Word* base, const Word* numbers, Word mask) {
  constexpr int kBits = TransferLoops::kColumnBits;
  static_assert(TransferLoops::kColumns == 10 && TransferLoops::kNumbers == 4 && 3 * kBits <= 64);
  const auto* const blocks = reinterpret_cast<const Pair*>(base);
  auto* const sums = reinterpret_cast<Pair*>(out);
  for (std::int64_t r = 0; r < rows; ++r) {
    const Word* const row = numbers + r * TransferLoops::kNumbers;
    Pair even = sums[r], odd = blocks[row[3] & mask];
    for (int j = 0; j < 3; ++j) {
      even ^= blocks[row[j] & mask];
      odd ^= blocks[row[j] >> kBits & mask];
      even ^= blocks[row[j] >> 2 * kBits & mask];
    }
    sums[r] = even ^ odd;
  }
}

constexpr TransferLoops kTransferLoops = {transpose<1>,  transpose<TransferLoops::kTogether>,
                                          add_leaves<1>, add_leaves<TransferLoops::kTogether>,
                                          change_nodes,  add_rows};

}  // namespace
}  // namespace tacit::mpc
