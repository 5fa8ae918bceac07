// PartyMemory counts on a plan (PairNetwork) what each party holds. The network counts the memory of the party with the most. Thread: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpc/ot/bit_times_word.h"
#include "mpc/ot/block.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

class PartyMemory {
 public:
  explicit PartyMemory(PairNetwork& network) : network_(network), held_(static_cast<std::size_t>(network.parties())) {}

  // So many bytes of each party, until the result is freed.
  using Bytes = std::vector<std::int64_t>;
  [[nodiscard]] static std::shared_ptr<const void> hold(const std::shared_ptr<PartyMemory>& memory, Bytes bytes) {
    memory->add(bytes, 1);
    return {memory.get(), [memory, bytes](PartyMemory* all) { all->add(bytes, -1); }};
  }
  // The keys of bits: of a holder one for each peer, of any party one for each other holder.
  static Bytes of_keys(std::int64_t size, const Holders& holders) {
    const auto all = std::ranges::count(holders, true), peers = std::ssize(holders) - 1;
    Bytes bytes;
    for (const bool holder : holders) {
      bytes.push_back(std::int64_t{sizeof(Block)} * size * (holder ? peers + all - 1 : all));
    }
    return bytes;
  }

 private:
  void add(const Bytes& bytes, std::int64_t sign) {
    for (std::size_t i = 0; i < bytes.size(); ++i) held_[i] += sign * bytes[i];
    most_.reset();
    most_ = network_.hold_for_now(std::ranges::max(held_));
  }

  PairNetwork& network_;
  Bytes held_;
  std::shared_ptr<const void> most_;
};

}  // namespace tacit::mpc
