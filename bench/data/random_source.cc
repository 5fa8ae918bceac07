#include "bench/data/random_source.h"

#include <bit>
#include <utility>

#include "net/error.h"

namespace tacit::gnn {

std::uint64_t RandomSource::word() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double RandomSource::uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }

double RandomSource::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::int64_t RandomSource::below(std::int64_t limit) {
  TACIT_CHECK(limit > 0);
  const int shift = std::countl_zero(static_cast<std::uint64_t>(limit));
  for (;;) {  // two draws on average at the most
    const auto value = static_cast<std::int64_t>(word() >> shift);
    if (value < limit) return value;
  }
}

double RandomSource::normal() {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

void RandomSource::shuffle(std::span<std::int64_t> values) {
  for (std::size_t left = values.size(); left > 1; --left) {
    std::swap(values[left - 1], values[static_cast<std::size_t>(below(static_cast<std::int64_t>(left)))]);
  }
}

}  // namespace tacit::gnn
