#include "mpc/ot/punctured_trees.h"

#include <algorithm>
#include <cstring>

#include "mpc/ot/fixed_key_aes.h"
#include "mpc/random/fresh_secret.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

std::uint64_t bit_of(const Block& block, int i) { return ((i < 64 ? block.low : block.high) >> (i % 64)) & 1; }

// The bit of the path at a level: the highest bit of the hole first.
std::uint64_t path_bit(const Block& delta, int tree, int level) {
  return bit_of(delta, tree * kTreeDepth + kTreeDepth - 1 - level);
}

constexpr Block kRightChild{1, 0};  // c = 1

// Makes levels of a tree.
class Grower {
 public:
  // Replaces the first `count` nodes of a level by their children. The child c of node k is at 2k + (c ^ turned).
  void grow(Block* nodes, int count, std::uint64_t turned) {
    for (int k = 0; k < count; ++k) {
      const Block left = nodes[k], right = left ^ kRightChild;
      const Block change = turned * (left ^ right);
      inputs_[2 * k] = left ^ change;
      inputs_[2 * k + 1] = right ^ change;
    }
    std::copy_n(inputs_.data(), 2 * count, nodes);
    pi_.permute({nodes, nodes + 2 * count});
    for (int k = 0; k < 2 * count; ++k) nodes[k] ^= inputs_[k];
  }

 private:
  FixedKeyAes pi_{"tacit trees"};
  SecretBlocks inputs_{kLeaves};
};

Block sum_of(const Block* nodes, int count, int side) {
  Block sum{};
  for (int k = side; k < count; k += 2) sum ^= nodes[k];
  return sum;
}

}  // namespace

WholeTrees::WholeTrees(const SecretBlocks& base_keys) : leaves(std::int64_t{kTrees} * kLeaves), sums{} {
  TACIT_CHECK(base_keys.size() == 2 * kTreeLevels);
  const net::Secret seeds = fresh_secret(kTrees * std::int64_t{sizeof(Block)});
  Grower grower;
  for (int tree = 0; tree < kTrees; ++tree) {
    Block* const nodes = leaves.data() + std::int64_t{tree} * kLeaves;
    std::memcpy(nodes, seeds.bytes().data() + static_cast<std::size_t>(tree) * sizeof(Block), sizeof(Block));
    for (int level = 0; level < kTreeDepth; ++level) {
      grower.grow(nodes, 1 << level, 0);
      for (int side = 0; side < 2; ++side) {
        const int at = 2 * (tree * kTreeDepth + level) + side;
        sums[static_cast<std::size_t>(at)] = sum_of(nodes, 2 << level, side) ^ base_keys[at];
      }
    }
  }
}

net::Secret base_choices(const Block& delta) {
  net::Secret choices(kTreeLevels);
  for (int tree = 0; tree < kTrees; ++tree) {
    for (int level = 0; level < kTreeDepth; ++level) {
      choices.bytes()[static_cast<std::size_t>(tree * kTreeDepth + level)] =
          static_cast<std::byte>(1 ^ path_bit(delta, tree, level));
    }
  }
  return choices;
}

SecretBlocks punctured_leaves(const Block& delta, const SecretBlocks& base_keys,
                              std::span<const Block, 2 * kTreeLevels> sums) {
  TACIT_CHECK(base_keys.size() == kTreeLevels);
  Grower grower;
  SecretBlocks leaves = SecretBlocks::zeros(std::int64_t{kTrees} * kLeaves);
  for (int tree = 0; tree < kTrees; ++tree) {
    Block* const nodes = leaves.data() + std::int64_t{tree} * kLeaves;  // node 0 lies on the path
    for (int level = 0; level < kTreeDepth; ++level) {
      const std::uint64_t path = path_bit(delta, tree, level);
      grower.grow(nodes, 1 << level, path);
      nodes[0] = nodes[1] = Block{};
      const int at = tree * kTreeDepth + level;
      const Block left = sums[static_cast<std::size_t>(2 * at)], right = sums[static_cast<std::size_t>(2 * at + 1)];
      const Block masked = right ^ path * (left ^ right);  // of the side beside the path
      nodes[1] = masked ^ base_keys[at] ^ sum_of(nodes, 2 << level, 1);
    }
  }
  return leaves;
}

}  // namespace tacit::mpc
