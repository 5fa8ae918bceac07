#include "mpc/levels/random_sums.h"

#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include "mpc/kernels/loops.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 8192;

// SplitMix64, which makes the coefficients of the sums, too. Coefficients must be independent of the data, but not secret.
std::uint64_t mixed(std::uint64_t state) {
  state *= 0x9e3779b97f4a7c15;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

// The coefficients of the first sum are 2c + 1, so that it is not zero if an odd number of elements is odd.
std::uint64_t with_odd_coefficients(std::uint64_t sum, std::span<const std::uint64_t> x) {
  return 2 * sum + std::accumulate(x.begin(), x.end(), std::uint64_t{0});
}

}  // namespace

Share random_sums(const Share& x, int sums, std::uint64_t seed, Workers& workers) {
  const Shape row{1, sums};
  const Format format{kWordBits, 0};
  if (!Inside::held(x)) return Inside::nothing(row, format);
  const RingTensor& words = Inside::words(x);
  std::vector<std::uint64_t> total(static_cast<std::size_t>(sums), 0);
  std::mutex adding;
  const auto add_up = loops(best_instructions()).sum_with_coefficients;
  workers.for_ranges(words.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t s = 0; s < total.size(); ++s) {
      const std::uint64_t first = mixed(mixed(seed + 1) + s) + static_cast<std::uint64_t>(begin);
      std::uint64_t sum = add_up(words.data() + begin, end - begin, first);
      if (s == 0) sum = with_odd_coefficients(sum, {words.data() + begin, words.data() + end});
      const std::lock_guard lock(adding);
      total[s] += sum;
    }
  });
  RingTensor out(row, kWordBits);
  for (std::size_t s = 0; s < total.size(); ++s) out.data()[s] = total[s] << (kWordBits - words.bits());
  return Inside::share(row, format, std::move(out));
}

}  // namespace tacit::mpc
