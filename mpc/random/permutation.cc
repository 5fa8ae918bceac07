#include "mpc/random/permutation.h"

#include <numeric>
#include <utility>

#include "net/error.h"

namespace tacit::mpc {

namespace {

__extension__ using DoubleWord = unsigned __int128;

constexpr std::int64_t kSpareWords = 64;

}  // namespace

std::int64_t words_for_permutation(std::int64_t count) { return count + kSpareWords; }

// Fisher and Yates' shuffle, with Lemire's numbers below a limit.
Permutation permutation_from(std::span<const std::uint64_t> words, std::int64_t count) {
  TACIT_CHECK(count <= kMostPermuted && std::ssize(words) == words_for_permutation(count));
  Permutation order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::size_t used = 0;
  for (std::size_t limit = order.size(); limit > 1; --limit) {
    const auto bound = static_cast<std::uint64_t>(limit);
    const std::uint64_t unfair = -bound % bound;  // 2^64 mod the limit
    DoubleWord drawn = 0;
    do {
      TACIT_CHECK(used < words.size());
      drawn = static_cast<DoubleWord>(words[used++]) * bound;
    } while (static_cast<std::uint64_t>(drawn) < unfair);
    std::swap(order[limit - 1], order[static_cast<std::size_t>(drawn >> 64)]);
  }
  return order;
}

Permutation inverse(const Permutation& order) {
  Permutation back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  return back;
}

bool is_permutation(std::span<const std::int32_t> order) {
  std::vector<bool> seen(order.size());
  for (const std::int32_t place : order) {
    if (place < 0 || static_cast<std::size_t>(place) >= order.size() || seen[static_cast<std::size_t>(place)])
      return false;
    seen[static_cast<std::size_t>(place)] = true;
  }
  return true;
}

}  // namespace tacit::mpc
