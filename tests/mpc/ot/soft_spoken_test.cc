// SoftSpoken's transfers have t = q ^ b·Delta, and no part of them comes twice.
#include "mpc/ot/soft_spoken.h"

#include <gtest/gtest.h>

#include "tests/mpc/ot/correlated_pair.h"
#include "tests/mpc/security/chi_square.h"

namespace tacit::mpc {
namespace {

int hole_of(const Block& delta, int tree) {
  return static_cast<int>((tree < 16 ? delta.low : delta.high) >> (tree % 16 * 4)) & 15;
}

TEST(PuncturedTrees, LackOneLeafOfEachTree) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const CorrelatedPair pair(seed);
    for (int tree = 0; tree < kTrees; ++tree) {
      const std::int64_t first = std::int64_t{tree} * kLeaves;
      const int hole = hole_of(pair.delta, tree);
      EXPECT_EQ(pair.punctured[first], Block{});
      for (int y = 1; y < kLeaves; ++y) EXPECT_EQ(pair.punctured[first + y], pair.whole[first + (y ^ hole)]);
    }
  }
}

struct Transfers {
  SecretBlocks choices, t, q;
  std::vector<std::byte> corrections;
};

Transfers take(SoftSpokenReceiver& receiver, SoftSpokenSender& sender, SecretBlocks choices, Workers& workers) {
  const std::int64_t blocks = choices.size();
  Transfers all{std::move(choices), SecretBlocks(blocks * kBlockBits), SecretBlocks(blocks * kBlockBits), {}};
  all.corrections.resize(static_cast<std::size_t>(blocks * kCorrectionBytes));
  receiver.take(all.choices.blocks(), all.t.blocks(), all.corrections, workers);
  sender.take(all.corrections, all.q.blocks(), workers);
  return all;
}

TEST(SoftSpoken, IsCorrelatedForAllSizesInARow) {
  CorrelatedPair pair(1);
  SoftSpokenReceiver receiver = pair.receiver();
  SoftSpokenSender sender = pair.sender();
  Workers workers(3);
  std::uint64_t used = 0;
  for (const std::int64_t blocks : {1, 2, 7, 8, 9, 16, 100, 0, 1, 33}) {
    EXPECT_EQ(receiver.used(), used);
    EXPECT_EQ(sender.used(), used);
    used += static_cast<std::uint64_t>(blocks * kBlockBits);
    const Transfers all = take(receiver, sender, random_blocks(blocks, pair.random), workers);
    for (std::int64_t i = 0; i < blocks * kBlockBits; ++i) {
      const Block masked = std::uint64_t{bit_at(all.choices.blocks(), i)} * pair.delta;
      ASSERT_EQ(all.t[i], all.q[i] ^ masked) << blocks << " blocks, transfer " << i;
    }
  }
}

// The transfers depend on their numbers alone, and not on how many are taken at a time, or by how many threads.
TEST(SoftSpoken, CountsOnFromCallToCall) {
  CorrelatedPair pair(2);
  Workers one, three(3);
  const SecretBlocks choices = SecretBlocks::zeros(50);
  SoftSpokenReceiver at_once = pair.receiver(), in_parts = pair.receiver();
  SoftSpokenSender sender = pair.sender(), sender_in_parts = pair.sender();
  const Transfers all = take(at_once, sender, copy_of(choices), three);
  std::int64_t begin = 0;
  for (const std::int64_t blocks : {1, 8, 20, 3, 18}) {
    const Transfers part = take(in_parts, sender_in_parts, SecretBlocks::zeros(blocks), one);
    for (std::int64_t i = 0; i < blocks * kBlockBits; ++i) {
      ASSERT_EQ(part.t[i], all.t[begin * kBlockBits + i]);
      ASSERT_EQ(part.q[i], all.q[begin * kBlockBits + i]);
    }
    begin += blocks;
  }
}

std::vector<std::uint64_t> words_of(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  return words;
}

// Corrections of choices that are all zero or all one look uniform, and so do their sums over trees and over calls.
TEST(SoftSpoken, HidesChoices) {
  for (const std::uint64_t choice : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    CorrelatedPair pair(3);
    SoftSpokenReceiver receiver = pair.receiver();
    SoftSpokenSender sender = pair.sender();
    Workers workers;
    std::vector<std::uint64_t> before;
    for (int call = 0; call < 3; ++call) {
      SecretBlocks choices(100);
      for (Block& block : choices.blocks()) block = {choice, choice};
      const auto words = words_of(take(receiver, sender, std::move(choices), workers).corrections);
      EXPECT_LT(unevenness_of_words(words, 64), kTooUneven);
      std::vector<std::uint64_t> over_trees, over_calls;
      for (std::size_t i = 2; i < words.size(); ++i) over_trees.push_back(words[i] ^ words[i - 2]);
      for (std::size_t i = 0; i < before.size(); ++i) over_calls.push_back(words[i] ^ before[i]);
      EXPECT_LT(unevenness_of_words(over_trees, 64), kTooUneven);
      EXPECT_TRUE(call == 0 || unevenness_of_words(over_calls, 64) < kTooUneven);
      before = words;
    }
  }
}

// The keys of all transfers, and the sums of neighbours, look uniform.
TEST(SoftSpoken, MakesUniformKeys) {
  CorrelatedPair pair(4);
  SoftSpokenReceiver receiver = pair.receiver();
  SoftSpokenSender sender = pair.sender();
  Workers workers;
  const Transfers all = take(receiver, sender, random_blocks(200, pair.random), workers);
  for (const SecretBlocks* keys : {&all.t, &all.q}) {
    const auto words = words_of(std::as_bytes(keys->blocks()));
    std::vector<std::uint64_t> sums;
    for (std::size_t i = 2; i < words.size(); ++i) sums.push_back(words[i] ^ words[i - 2]);
    EXPECT_LT(unevenness_of_words(words, 64), kTooUneven);
    EXPECT_LT(unevenness_of_words(sums, 64), kTooUneven);
  }
}

// Any bytes are corrections: a wrong message spoils transfers and nothing else.
TEST(SoftSpoken, TakesAnyCorrections) {
  CorrelatedPair pair(5);
  SoftSpokenSender sender = pair.sender();
  Workers workers;
  SecretBlocks q(128);
  sender.take(std::vector<std::byte>(static_cast<std::size_t>(kCorrectionBytes), std::byte{0xff}), q.blocks(), workers);
  EXPECT_EQ(sender.used(), 128U);
}

}  // namespace
}  // namespace tacit::mpc
