// BoundTransfers are the correlated transfers of one direction to which bits of one party are bound: the bits' party has t, its peer
// q. Each use of them has a number of its own, on which both ends agree because they make the same calls.
// The keys are wiped when they are freed. Thread: one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "mpc/ot/block.h"

namespace tacit::mpc {

// The blocks of `bits` bits.
constexpr std::int64_t blocks_for(std::int64_t bits) { return (bits + kBlockBits - 1) / kBlockBits; }

class BoundTransfers {
 public:
  BoundTransfers() = default;
  // `first`: the number of the first transfer in its direction.
  BoundTransfers(std::shared_ptr<const SecretBlocks> keys, std::int64_t begin, std::int64_t size, std::uint64_t first)
      : keys_(std::move(keys)), begin_(begin), size_(size), first_(first) {}
  // A copy would count the same uses again.
  BoundTransfers(BoundTransfers&&) noexcept = default;
  BoundTransfers& operator=(BoundTransfers&&) noexcept = default;
  BoundTransfers(const BoundTransfers&) = delete;
  BoundTransfers& operator=(const BoundTransfers&) = delete;

  std::span<const Block> keys() const {
    return keys_->blocks().subspan(static_cast<std::size_t>(begin_), static_cast<std::size_t>(size_));
  }
  std::int64_t size() const { return size_; }
  std::uint64_t first() const { return first_; }
  std::int64_t next_use() { return uses_++; }

 private:
  std::shared_ptr<const SecretBlocks> keys_;
  std::int64_t begin_ = 0;
  std::int64_t size_ = 0;
  std::uint64_t first_ = 0;
  std::int64_t uses_ = 0;
};

}  // namespace tacit::mpc
