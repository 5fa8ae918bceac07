// Punctured trees: 32 trees of 16 leaves, of which the receiver of transfers knows all leaves, and the sender all but one in each
// tree. The missing leaf of a tree is named by four bits of the sender's Delta.
//
// A node's children are pi(x ^ c) ^ x ^ c for c = 0, 1 (GGM; pi is AES under a fixed key). One base transfer a level: the receiver
// of the trees' transfers masks the sum of all left nodes and the sum of all right nodes; the sender learns the sum of the side on
// which its path does not lie, and from it the sibling of the node that it lacks.
//
//   base transfers: sender = the side that knows all leaves; choice = the complement of a bit of the path
//   knower -> puncturer   128 levels · 2 sums of 16 bytes
//
// Secure      against passive parties, if the expansion is a pseudorandom generator
// Time        no branch and no address depends on the path: the puncturer numbers nodes relative to its path
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "mpc/ot/block.h"
#include "net/secret.h"

namespace tacit::mpc {

inline constexpr int kTreeDepth = 4;  // K of SoftSpoken
inline constexpr int kLeaves = 1 << kTreeDepth;
inline constexpr int kTrees = static_cast<int>(kBlockBits) / kTreeDepth;
inline constexpr int kTreeLevels = kTrees * kTreeDepth;  // base transfers

struct WholeTrees {
  // From fresh seeds, and both keys of each base transfer (BaseOtSender).
  explicit WholeTrees(const SecretBlocks& base_keys);

  SecretBlocks leaves;                      // kLeaves for each tree
  std::array<Block, 2 * kTreeLevels> sums;  // for the other side
};

// The choices of the base transfers, a byte each: bit j of tree i's hole, from the highest on, is bit 4i + 3 - j of delta.
net::Secret base_choices(const Block& delta);

// Leaf y of a tree is the leaf y ^ hole of the whole tree; leaf 0 is zero.
SecretBlocks punctured_leaves(const Block& delta, const SecretBlocks& base_keys,
                              std::span<const Block, 2 * kTreeLevels> sums);

}  // namespace tacit::mpc
