#include "gnn/train/batches.h"

#include <algorithm>
#include <random>

namespace tacit::gnn {

namespace {

// The shuffle of Fisher and Yates. std::mt19937_64 gives the same numbers on every machine;
// std::shuffle does not.
template <typename T>
void shuffle(std::vector<T>& all, std::mt19937_64& random) {
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
}

std::mt19937_64 random_of(std::uint64_t seed, std::int64_t epoch) {
  constexpr std::uint64_t kBatches = 0xba7c;  // separates this stream from the job's other streams
  std::seed_seq key{seed & 0xffffffff, seed >> 32, kBatches, static_cast<std::uint64_t>(epoch)};
  return std::mt19937_64(key);
}

}  // namespace

std::vector<Rows> batches_of(std::int64_t count, std::int64_t size, std::uint64_t seed) {
  if (size == 0 || size >= count) return {all_rows(count)};
  Rows nodes = all_rows(count);
  std::mt19937_64 random = random_of(seed, 0);
  shuffle(nodes, random);
  const std::int64_t batches = (count + size - 1) / size;
  std::vector<Rows> all;
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const auto begin = nodes.begin() + batch * count / batches, end = nodes.begin() + (batch + 1) * count / batches;
    std::sort(begin, end);
    all.emplace_back(begin, end);
  }
  return all;
}

std::vector<std::size_t> order_of_batches(std::size_t batches, std::uint64_t seed, std::int64_t epoch) {
  std::vector<std::size_t> order(batches);
  for (std::size_t i = 0; i < batches; ++i) order[i] = i;
  if (batches == 1) return order;
  std::mt19937_64 random = random_of(seed, epoch);
  shuffle(order, random);
  return order;
}

}  // namespace tacit::gnn
