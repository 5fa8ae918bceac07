// Half trees differ at one leaf of each tree, by Delta, on every kind of instructions.
#include "mpc/ot/half_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/mpc/ot/correlated_pair.h"
#include "tests/mpc/security/chi_square.h"

namespace tacit::mpc {
namespace {

using Holes = std::array<std::uint64_t, kTreesTogether>;

Block odd_delta(std::mt19937_64& random) {
  Block delta = random_block(random);
  delta.low |= 1;
  return delta;
}

// The sum of the nodes on the side beside the hole's path, for each level of each tree.
SecretBlocks known_sums(const SecretBlocks& left, const Block& delta, const Holes& holes) {
  SecretBlocks known(left.size());
  for (std::int64_t k = 0; k < left.size(); ++k) {
    const std::uint64_t path = (holes[static_cast<std::size_t>(k % kTreesTogether)] >> (k / kTreesTogether)) & 1;
    known[k] = left[k] ^ (1 ^ path) * delta;
  }
  return known;
}

void expect_one_difference(const SecretBlocks& whole, const SecretBlocks& punctured, const Block& delta,
                           const Holes& holes) {
  for (std::int64_t k = 0; k < whole.size(); ++k) {
    const std::uint64_t noise =
        holes[static_cast<std::size_t>(k % kTreesTogether)] == static_cast<std::uint64_t>(k / kTreesTogether) ? 1 : 0;
    ASSERT_EQ(whole[k].low & 1, 0U) << k;
    ASSERT_EQ(punctured[k], whole[k] ^ noise * delta) << k;
  }
}

TEST(HalfTreeGrower, DiffersAtEveryHoleAlone) {
  std::mt19937_64 random(1);
  for (int depth = 1; depth <= 6; ++depth) {
    HalfTreeGrower grower(depth);
    for (std::uint64_t first = 0; first < std::uint64_t{1} << depth; ++first) {
      const Block delta = odd_delta(random);
      const SecretBlocks seeds = random_blocks(kTreesTogether, random);
      Holes holes{first};
      for (std::size_t i = 1; i < holes.size(); ++i) holes[i] = random() % (std::uint64_t{1} << depth);
      SecretBlocks whole(grower.leaves()), punctured(grower.leaves()), left(std::int64_t{kTreesTogether} * depth);
      grower.grow(seeds.blocks().first<kTreesTogether>(), delta, whole.data(), left.blocks());
      const SecretBlocks known = known_sums(left, delta, holes);
      grower.grow(holes, known.blocks(), punctured.data());
      expect_one_difference(whole, punctured, delta, holes);
    }
  }
}

// The definition: child c of node k of n nodes is node k + c·n; h(x) = pi(y) ^ y, y = (low ^ high, low) of x; bit 0 is cleared.
TEST(HalfTreeGrower, FollowsItsDefinition) {
  std::mt19937_64 random(2);
  const int depth = 5;
  FixedKeyAes pi("tacit half tree", Instructions::kPortable);
  const Block delta = odd_delta(random);
  const SecretBlocks seeds = random_blocks(kTreesTogether, random);
  for (const Instructions instructions : available_instructions()) {
    HalfTreeGrower grower(depth, instructions);
    SecretBlocks leaves(grower.leaves()), left(std::int64_t{kTreesTogether} * depth);
    grower.grow(seeds.blocks().first<kTreesTogether>(), delta, leaves.data(), left.blocks());
    for (std::int64_t i = 0; i < kTreesTogether; ++i) {
      std::vector<Block> nodes{seeds[i], seeds[i] ^ delta};
      EXPECT_EQ(left[i], seeds[i]);
      for (int level = 1; level < depth; ++level) {
        std::vector<Block> children(2 * nodes.size());
        Block sum{};
        for (std::size_t k = 0; k < nodes.size(); ++k) {
          const Block y{nodes[k].low ^ nodes[k].high, nodes[k].low};
          Block image = y;
          pi.permute(std::span(&image, 1));
          children[k] = image ^ y;
          children[nodes.size() + k] = children[k] ^ nodes[k];
          sum ^= children[k];
        }
        nodes = children;
        EXPECT_EQ(left[level * kTreesTogether + i], sum);
      }
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const Block leaf{nodes[k].low & ~std::uint64_t{1}, nodes[k].high};
        ASSERT_EQ(leaves[static_cast<std::int64_t>(k) * kTreesTogether + i], leaf);
      }
    }
  }
}

TEST(HalfTreeGrower, GrowsAlikeOnAllInstructions) {
  std::mt19937_64 random(3);
  const int depth = 11;
  const Block delta = odd_delta(random);
  const SecretBlocks seeds = random_blocks(kTreesTogether, random);
  const Holes holes{0, 2047, random() % 2048, random() % 2048};
  HalfTreeGrower first(depth, Instructions::kPortable);
  SecretBlocks whole(first.leaves()), left(std::int64_t{kTreesTogether} * depth), punctured(first.leaves());
  first.grow(seeds.blocks().first<kTreesTogether>(), delta, whole.data(), left.blocks());
  const SecretBlocks known = known_sums(left, delta, holes);
  first.grow(holes, known.blocks(), punctured.data());
  for (const Instructions instructions : available_instructions()) {
    HalfTreeGrower grower(depth, instructions);
    SecretBlocks leaves(grower.leaves()), sums(left.size());
    grower.grow(seeds.blocks().first<kTreesTogether>(), delta, leaves.data(), sums.blocks());
    EXPECT_TRUE(std::ranges::equal(leaves.blocks(), whole.blocks())) << name(instructions);
    EXPECT_TRUE(std::ranges::equal(sums.blocks(), left.blocks())) << name(instructions);
    grower.grow(holes, known.blocks(), leaves.data());
    EXPECT_TRUE(std::ranges::equal(leaves.blocks(), punctured.blocks())) << name(instructions);
  }
}

// Random transfers t = q ^ u·Delta, where u is bit 0 of t.
struct RandomTransfers {
  RandomTransfers(std::int64_t count, const Block& delta, std::mt19937_64& random)
      : q(random_blocks(count, random)), t(count) {
    for (std::int64_t i = 0; i < count; ++i) {
      q[i].low &= ~std::uint64_t{1};
      t[i] = q[i] ^ (random() & 1) * delta;
    }
  }
  SecretBlocks q, t;
};

// The two ends' messages puncture the receiver's trees at one leaf of each, everywhere equally often.
TEST(HalfTrees, ArePuncturedAtUniformHoles) {
  std::mt19937_64 random(4);
  const int depth = 3;
  const std::int64_t trees = 4000;
  const Block delta = odd_delta(random);
  const RandomTransfers transfers(trees * depth, delta, random);
  Workers workers(2);
  std::vector<std::byte> choices(static_cast<std::size_t>(choice_bytes(trees, depth)));
  std::vector<std::byte> sums(static_cast<std::size_t>(sum_bytes(trees, depth)));
  const WholeHalfTrees whole(delta, trees, depth);
  PuncturedHalfTrees punctured(transfers.t.blocks(), depth, choices);
  whole.answer(transfers.q.blocks(), choices, sums, workers);
  punctured.take(sums);
  HalfTreeGrower grower(depth);
  SecretBlocks all(grower.leaves()), known(grower.leaves());
  std::vector<std::int64_t> counts(std::size_t{1} << depth);
  for (std::int64_t group = 0; group < trees / kTreesTogether; ++group) {
    whole.grow(group, grower, all.data());
    punctured.grow(group, grower, known.data());
    for (std::int64_t i = 0; i < kTreesTogether; ++i) {
      int holes = 0;
      for (std::int64_t x = 0; x < std::int64_t{1} << depth; ++x) {
        const std::uint64_t noise = known[x * kTreesTogether + i].low & 1;
        ASSERT_EQ(known[x * kTreesTogether + i], all[x * kTreesTogether + i] ^ noise * delta);
        holes += static_cast<int>(noise);
        counts[static_cast<std::size_t>(x)] += static_cast<std::int64_t>(noise);
      }
      ASSERT_EQ(holes, 1);
    }
  }
  EXPECT_LT(unevenness(counts), kTooUneven);
}

}  // namespace
}  // namespace tacit::mpc
