#include "mpc/ring/word_memory.h"

#include <cstddef>

#include "mpc/ring/kept_memory.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kBorder = 64;  // bytes

std::size_t bytes_of(std::int64_t words) { return static_cast<std::size_t>(words) * sizeof(std::uint64_t) + kBorder; }

}  // namespace

WordMemory::WordMemory(std::int64_t size) : size_(size), block_(take_memory(bytes_of(size))) {
  const auto address = reinterpret_cast<std::uintptr_t>(block_);
  words_ = reinterpret_cast<std::uint64_t*>((address + kBorder - 1) / kBorder * kBorder);
}

WordMemory::~WordMemory() {
  if (block_ != nullptr) return_memory(block_, bytes_of(size_));
}

}  // namespace tacit::mpc
