// Half trees: correlated trees of 2^depth leaves. The sender of transfers knows all leaves. The receiver knows all but one in each
// tree: the leaf at its hole, a number that the sender does not know (Guo, Yang, Wang, Zhang, Xie, Zhang, Liu, Half-Tree: Halving the
// Cost of Tree Expansion in COT and DPF, EUROCRYPT 2023; passive version).
//
// The first level has the nodes x and x ^ Delta. The children of a node x are h(x) and h(x) ^ x, where h(x) = pi(y) ^ y, y = (low ^
// high, low) of x, and pi is AES under a fixed key of its own. So the nodes of every level sum to Delta. Child c of node k of n nodes
// is node k + c·n: bit j of a leaf's number is its side at level j. A level of a tree takes one transfer t = q ^ u·Delta:
//
//   receiver -> sender   1 bit: u ^ (the side beside the hole's path), packed, tree by tree
//   sender -> receiver   16 bytes: the sum of the left nodes ^ q ^ (that bit)·Delta
//
// The receiver adds t, which gives the sum of the nodes on the side beside the path, and from it the node beside the path. At the hole
// it takes the sum of all other leaves: the sender's leaf ^ Delta.
//
// Bit 0 of Delta is 1. In the end, bit 0 of every leaf is cleared, and is 1 at the receiver's hole. So t = q ^ u·Delta holds for
// every leaf, where u is bit 0 of t. The same holds for the transfers that the trees take.
//
// Memory      sender: 16 bytes a tree; receiver: 16 bytes a level and tree, and the holes. All of it is wiped
// Secure      against passive parties, if h is circular correlation robust (pi as a random permutation), and if no transfer serves twice
// Time        no branch and no address depends on a hole
#pragma once

#include <cstdint>
#include <span>

#include "mpc/kernels/transfer_loops.h"
#include "mpc/kernels/workers.h"
#include "mpc/ot/fixed_key_aes.h"
#include "net/channel.h"
#include "net/secret.h"

namespace tacit::mpc {

// Trees grow side by side: node x of tree i of a group is block 4x + i.
inline constexpr int kTreesTogether = 4;

// Grows a group of trees. One at a time.
class HalfTreeGrower {
 public:
  explicit HalfTreeGrower(int depth, Instructions instructions = best_instructions());

  std::int64_t leaves() const { return std::int64_t{kTreesTogether} << depth_; }  // the blocks of a group
  // From the trees' left nodes of the first level. Also writes the sums of left nodes: level j of tree i at 4j + i.
  void grow(std::span<const Block, kTreesTogether> seeds, const Block& delta, Block* nodes, std::span<Block> left_sums);
  // The same without the leaves at the holes. known_sums: for each level, the sum of the nodes on the side beside the path.
  void grow(std::span<const std::uint64_t, kTreesTogether> holes, std::span<const Block> known_sums, Block* nodes);

 private:
  // Four blocks each, one a tree.
  struct Scratch;

  void change(Block* nodes, std::int64_t size, const Scratch& s, const Block* changes);

  int depth_;
  const TransferLoops& loops_;
  FixedKeyAes pi_;
  SecretBlocks scratch_;
};

// The sender's trees.
class WholeHalfTrees {
 public:
  // From fresh seeds.
  WholeHalfTrees(const Block& delta, std::int64_t trees, int depth);

  // The message to the receiver. q: a transfer for each level of each tree.
  void answer(std::span<const Block> q, net::ConstBytes choices, net::Bytes sums, Workers& workers) const;
  // The leaves of the trees 4·group … 4·group + 3.
  void grow(std::int64_t group, HalfTreeGrower& grower, Block* leaves, std::span<Block> left_sums) const;
  void grow(std::int64_t group, HalfTreeGrower& grower, Block* leaves) const;

 private:
  int depth_;
  SecretBlocks delta_{1};
  SecretBlocks seeds_;
};

// The receiver's trees.
class PuncturedHalfTrees {
 public:
  // With fresh holes. Writes the message to the sender. t: a transfer for each level of each tree.
  PuncturedHalfTrees(std::span<const Block> t, int depth, net::Bytes choices);

  // Takes the sender's message, before the trees grow.
  void take(net::ConstBytes sums);
  void grow(std::int64_t group, HalfTreeGrower& grower, Block* leaves) const;

 private:
  std::uint64_t hole(std::int64_t tree) const;

  int depth_;
  net::Secret holes_;  // 2 bytes each
  SecretBlocks sums_;  // t at first
};

// The bytes of the messages.
constexpr std::int64_t choice_bytes(std::int64_t trees, int depth) { return (trees * depth + 7) / 8; }
constexpr std::int64_t sum_bytes(std::int64_t trees, int depth) { return trees * depth * std::int64_t{sizeof(Block)}; }

}  // namespace tacit::mpc
