// The loops of oblivious transfers follow their definitions on every instruction set.
#include "mpc/kernels/transfer_loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tacit::mpc {
namespace {

using BlockVector = std::vector<std::uint64_t>;

BlockVector random_vector(int blocks) {
  std::mt19937_64 random(7);
  BlockVector words(static_cast<std::size_t>(2 * blocks));
  std::ranges::generate(words, random);
  return words;
}

bool bit_of(const BlockVector& words, int block, int bit) {
  return ((words[static_cast<std::size_t>(2 * block + bit / 64)] >> (bit % 64)) & 1) != 0;
}

class TransferLoopsOn : public testing::TestWithParam<Instructions> {
 protected:
  const TransferLoops& loops_ = transfer_loops(GetParam());
};

TEST_P(TransferLoopsOn, Transpose) {
  for (const int matrices : {1, TransferLoops::kTogether}) {
    const BlockVector before = random_vector(128 * matrices);
    BlockVector after = before;
    (matrices == 1 ? loops_.transpose_one : loops_.transpose_together)(after.data());
    for (int m = 0; m < matrices; ++m) {
      for (int r = 0; r < 128; ++r) {
        for (int c = 0; c < 128; ++c) {
          ASSERT_EQ(bit_of(after, c * matrices + m, r), bit_of(before, r * matrices + m, c));
        }
      }
    }
  }
}

TEST_P(TransferLoopsOn, AddLeaves) {
  for (const int matrices : {1, TransferLoops::kTogether}) {
    const auto row_words = static_cast<std::size_t>(2 * matrices);
    const BlockVector leaves = random_vector(TransferLoops::kLeaves * matrices);
    BlockVector used = leaves, rows(TransferLoops::kTreeDepth * row_words), sum(row_words);
    (matrices == 1 ? loops_.add_leaves_one : loops_.add_leaves_together)(used.data(), rows.data(), sum.data());
    for (std::size_t i = 0; i < row_words; ++i) {
      std::uint64_t all = 0;
      std::vector<std::uint64_t> with_bit(TransferLoops::kTreeDepth);
      for (std::size_t x = 0; x < TransferLoops::kLeaves; ++x) {
        all ^= leaves[x * row_words + i];
        for (std::size_t b = 0; b < with_bit.size(); ++b) {
          if ((x >> b & 1) != 0) with_bit[b] ^= leaves[x * row_words + i];
        }
      }
      ASSERT_EQ(sum[i], all);
      for (std::size_t b = 0; b < with_bit.size(); ++b) ASSERT_EQ(rows[b * row_words + i], with_bit[b]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, TransferLoopsOn, testing::ValuesIn(available_instructions()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace tacit::mpc
