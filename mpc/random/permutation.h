// Permutation — an order of 0 … count-1: element i goes to place order[i].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tacit::mpc {

using Permutation = std::vector<std::int32_t>;

inline constexpr std::int64_t kMostPermuted = INT32_MAX;

// The words from which permutation_from() makes a permutation of `count` elements: one for each, and some to draw again.
std::int64_t words_for_permutation(std::int64_t count);

// A uniform permutation from uniform words: each step takes a number below its limit exactly, and draws again a word that would
// favour small numbers (for a million elements, about one permutation in ten million has such a word). The accesses to memory depend
// on the words, so a process that shares the cache with this one may see some of them.
Permutation permutation_from(std::span<const std::uint64_t> words, std::int64_t count);

Permutation inverse(const Permutation& order);

// True if every number below the size is there once.
bool is_permutation(std::span<const std::int32_t> order);

}  // namespace tacit::mpc
