// The sizes of packed panels. Panels live in a WordMemory, which begins at a cache line and keeps small blocks for its thread.
#pragma once

#include <cstdint>

#include "mpc/ring/word_memory.h"

namespace tacit::mpc {

inline constexpr std::int64_t kWordsOfCacheLine = 8;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The stride of a panel of rows, in words. Several rows are read at once: with a large power of two as the stride, all
// rows would fall into the same set of the cache.
constexpr std::int64_t panel_stride(std::int64_t depth) {
  return (ceil_div(depth, kWordsOfCacheLine) | 1) * kWordsOfCacheLine;
}

}  // namespace tacit::mpc
