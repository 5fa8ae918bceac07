// FerretRound — one end's transfers of one extension: rows of A·base ^ leaves, made when they are taken.
//
// A is LpnRows, base has 2^log_base transfers, and the leaves are those of the extension's half trees, group by group: row
// (group·2^depth + x)·4 + i is leaf x of tree 4·group + i.
//
// Memory      16·2^log_base bytes, the trees, and a group of leaves; instead of 16 bytes for each transfer. All of it is wiped
// Thread      one, which may use the workers
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/ot/ferret_set.h"
#include "mpc/ot/half_tree.h"
#include "mpc/ot/lpn_rows.h"

namespace tacit::mpc {

// Trees: WholeHalfTrees or PuncturedHalfTrees.
template <typename Trees>
class FerretRound {
 public:
  using Key = std::array<char, sizeof(Block)>;
  // The base's first 2^log_base blocks count.
  FerretRound(const FerretSet& set, const Key& key, std::uint64_t number, Trees trees, SecretBlocks base);

  std::int64_t left() const { return set_.rows() - taken_; }
  // The next rows, at most left().
  void take(std::span<Block> out, Workers& workers);

 private:
  struct Scratch;
  void make(std::int64_t group, Scratch& scratch, Block* out) const;

  FerretSet set_;
  Key key_;
  std::uint64_t number_;
  Trees trees_;
  SecretBlocks base_;
  SecretBlocks group_;  // the rows of the group that is taken in part
  std::int64_t taken_ = 0;
};

extern template class FerretRound<WholeHalfTrees>;
extern template class FerretRound<PuncturedHalfTrees>;

}  // namespace tacit::mpc
