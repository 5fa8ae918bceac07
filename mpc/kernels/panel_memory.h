// PanelMemory — the memory of packed panels: it begins at a cache line. Thread: as a plain value.
#pragma once

#include <cstdint>
#include <memory>

namespace tacit::mpc {

inline constexpr std::int64_t kWordsOfCacheLine = 8;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The stride of a panel of rows, in words. Several rows are read at once: with a large power of two as the stride, all
// rows would fall into the same set of the cache.
constexpr std::int64_t panel_stride(std::int64_t depth) {
  return (ceil_div(depth, kWordsOfCacheLine) | 1) * kWordsOfCacheLine;
}

class PanelMemory {
 public:
  explicit PanelMemory(std::int64_t words)
      : memory_(std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(words + kWordsOfCacheLine))) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get()) / sizeof(std::uint64_t);
    words_ = memory_.get() + (kWordsOfCacheLine - address % kWordsOfCacheLine) % kWordsOfCacheLine;
  }
  std::uint64_t* words() { return words_; }

 private:
  std::unique_ptr<std::uint64_t[]> memory_;
  std::uint64_t* words_;
};

}  // namespace tacit::mpc
