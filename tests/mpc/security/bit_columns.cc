#include "tests/mpc/security/bit_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <ostream>
#include <random>

namespace tacit::mpc {

namespace {

// The rank over GF(2) of the first words of each column and a column of ones.
std::size_t rank_of(std::vector<Column> columns, std::size_t words) {
  columns.emplace_back(words, ~std::uint64_t{0});
  for (Column& column : columns) {
    TACIT_CHECK(column.size() >= words);
    column.resize(words);
  }
  std::size_t rank = 0;
  for (std::size_t bit = 0; bit < words * 64 && rank < columns.size(); ++bit) {
    const auto set = [&](const Column& column) { return ((column[bit / 64] >> (bit % 64)) & 1) != 0; };
    const auto pivot = std::find_if(columns.begin() + static_cast<std::ptrdiff_t>(rank), columns.end(), set);
    if (pivot == columns.end()) continue;
    std::iter_swap(columns.begin() + static_cast<std::ptrdiff_t>(rank), pivot);
    for (std::size_t other = rank + 1; other < columns.size(); ++other) {
      if (!set(columns[other])) continue;
      for (std::size_t w = bit / 64; w < words; ++w) columns[other][w] ^= columns[rank][w];
    }
    ++rank;
  }
  return rank;
}

// The deviation from a half of the ones in the sum of columns, in standard deviations.
template <typename... More>
double bias(const Column& first, const More&... more) {
  std::int64_t ones = 0;
  for (std::size_t w = 0; w < first.size(); ++w) ones += std::popcount((first[w] ^ ... ^ more[w]));
  const double samples = 64.0 * static_cast<double>(first.size());
  return std::abs(static_cast<double>(ones) - samples / 2) / (std::sqrt(samples) / 2);
}

}  // namespace

void append_columns(const SeenWords& seen, std::int64_t samples, std::vector<Column>& columns) {
  const auto count = static_cast<std::size_t>(samples), bits = static_cast<std::size_t>(seen.bits);
  TACIT_CHECK(count % 64 == 0 && seen.words.size() % count == 0);
  const std::size_t each = seen.words.size() / count, first = columns.size();
  columns.resize(first + each * bits, Column(count / 64));
  for (std::size_t i = 0; i < seen.words.size(); ++i) {
    const std::size_t sample = i / each, at = first + i % each * bits;
    for (std::size_t b = 0; b < bits; ++b) {
      columns[at + b][sample / 64] |= ((seen.words[i] >> b) & 1) << (sample % 64);
    }
  }
}

Dependence dependence_of(const std::vector<Column>& columns) {
  Dependence found;
  found.sums = columns.size() + 1 - rank_of(columns, columns.size() / 64 + 4);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    found.bit = std::max(found.bit, bias(columns[i]));
    for (std::size_t j = 0; j < i; ++j) found.pair = std::max(found.pair, bias(columns[i], columns[j]));
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::array<std::size_t, 4> c;
    for (std::size_t& column : c) column = random() % columns.size();
    std::sort(c.begin(), c.end());
    if (std::adjacent_find(c.begin(), c.end()) != c.end()) continue;
    found.some = std::max(found.some, bias(columns[c[0]], columns[c[1]], columns[c[2]]));
    found.some = std::max(found.some, bias(columns[c[0]], columns[c[1]], columns[c[2]], columns[c[3]]));
  }
  return found;
}

std::ostream& operator<<(std::ostream& out, const Dependence& found) {
  return out << found.sums << " sums of others; biased by " << found.bit << " in a bit, " << found.pair
             << " in a pair, " << found.some << " in a sum of three or four";
}

}  // namespace tacit::mpc
