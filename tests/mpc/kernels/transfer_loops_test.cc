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

TEST_P(TransferLoopsOn, ChangeNodes) {
  for (const std::size_t size : {1U, 2U, 3U, 64U, 100U}) {
    const BlockVector before = random_vector(static_cast<int>(4 * size)), kept = random_vector(4);
    const BlockVector changes(kept.rbegin(), kept.rend());
    for (std::size_t first = 0; first < size + 1; ++first) {
      const std::uint64_t place[4] = {first, 0, size - 1, size};  // no node has the number `size`
      BlockVector after = before, places(8);
      for (std::size_t i = 0; i < 8; ++i) places[i] = place[i / 2];
      loops_.change_nodes(after.data(), static_cast<std::int64_t>(size), kept.data(), places.data(), changes.data());
      for (std::size_t w = 0; w < before.size(); ++w) {
        const std::uint64_t change = w / 8 == places[w % 8] ? changes[w % 8] : 0;
        ASSERT_EQ(after[w], (before[w] & kept[w % 8]) ^ change);
      }
    }
  }
}

TEST_P(TransferLoopsOn, AddRows) {
  const BlockVector base = random_vector(64);
  std::mt19937_64 random(8);
  for (const std::size_t rows : {0U, 1U, 16U, 17U, 100U}) {
    const BlockVector before = random_vector(static_cast<int>(rows));
    BlockVector numbers(4 * rows), after = before;
    std::ranges::generate(numbers, random);
    loops_.add_rows(after.data(), static_cast<std::int64_t>(rows), base.data(), numbers.data(), 63);
    for (std::size_t w = 0; w < before.size(); ++w) {
      std::uint64_t sum = before[w];
      for (std::size_t j = 0; j < 10; ++j) {
        const std::uint64_t column = numbers[4 * (w / 2) + j / 3] >> (21 * (j % 3)) & 63;
        sum ^= base[2 * column + w % 2];
      }
      ASSERT_EQ(after[w], sum);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, TransferLoopsOn, testing::ValuesIn(available_instructions()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace tacit::mpc
