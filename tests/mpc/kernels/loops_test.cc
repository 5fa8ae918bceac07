// Runs every loop on every instruction set; the kernels above the loops run only the best one.
#include "mpc/kernels/loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "mpc/ring/ring.h"

namespace tacit::mpc {
namespace {

using Vector = std::vector<std::uint64_t>;

const std::vector<std::int64_t> kCounts = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100};
constexpr std::uint64_t kMask = low_bits(51);

Vector random_words(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector words(static_cast<std::size_t>(count));
  std::ranges::generate(words, random);
  return words;
}

class LoopsOn : public testing::TestWithParam<Instructions> {
 protected:
  // `loop` writes n words; the word after them must not change.
  template <class Loop, class Definition>
  static void expect_words(const Loop& loop, const Definition& definition) {
    for (const std::int64_t n : kCounts) {
      Vector out(static_cast<std::size_t>(n) + 1, 99), expected = out;
      loop(out.data(), n);
      for (std::size_t i = 0; i + 1 < expected.size(); ++i) expected[i] = definition(i);
      ASSERT_EQ(out, expected) << n << " words";
    }
  }

  const Loops& loops_ = loops(GetParam());
  const Vector a_ = random_words(100, 1), b_ = random_words(100, 2), c_ = random_words(100, 3);
  const Vector d_ = random_words(100, 4), e_ = random_words(100, 5);
};

TEST_P(LoopsOn, TwoOperands) {
  expect_words([&](auto* out, auto n) { loops_.add(a_.data(), b_.data(), out, n, kMask); },
               [&](std::size_t i) { return (a_[i] + b_[i]) & kMask; });
  expect_words([&](auto* out, auto n) { loops_.subtract(a_.data(), b_.data(), out, n, kMask); },
               [&](std::size_t i) { return (a_[i] - b_[i]) & kMask; });
  expect_words([&](auto* out, auto n) { loops_.multiply(a_.data(), b_.data(), out, n, kMask); },
               [&](std::size_t i) { return (a_[i] * b_[i]) & kMask; });
}

TEST_P(LoopsOn, OneOperand) {
  expect_words([&](auto* out, auto n) { loops_.negate(a_.data(), out, n, kMask); },
               [&](std::size_t i) { return (0 - a_[i]) & kMask; });
  expect_words([&](auto* out, auto n) { loops_.reduce(a_.data(), out, n, kMask); },
               [&](std::size_t i) { return a_[i] & kMask; });
  expect_words([&](auto* out, auto n) { loops_.scale(a_.data(), b_[0], out, n, kMask); },
               [&](std::size_t i) { return (a_[i] * b_[0]) & kMask; });
  expect_words([&](auto* out, auto n) { loops_.add_constant(a_.data(), b_[0], out, n, kMask); },
               [&](std::size_t i) { return (a_[i] + b_[0]) & kMask; });
  expect_words([&](auto* out, auto n) { loops_.drop_bits(a_.data(), 13, 4095, out, n, kMask); },
               [&](std::size_t i) { return ((a_[i] + 4095) & kMask) >> 13; });
}

TEST_P(LoopsOn, Product) {
  const std::uint64_t* const inputs[] = {a_.data(), b_.data(), c_.data(), d_.data(), e_.data()};
  for (const bool first : {false, true}) {
    expect_words(
        [&](auto* out, auto n) { loops_.product(inputs, first, out, n, kMask); },
        [&](std::size_t i) { return (a_[i] * ((first ? c_[i] : 0) - d_[i]) - b_[i] * c_[i] + e_[i]) & kMask; });
  }
}

TEST_P(LoopsOn, DotAndCombineAreAMatrixTimesAVector) {
  constexpr std::int64_t kStride = 103;
  const Vector m = random_words(kStride * 103, 6);
  const auto at = [&](std::int64_t r, std::int64_t c) { return m[static_cast<std::size_t>(r * kStride + c)]; };
  for (const std::int64_t depth : kCounts) {
    const auto sum = [&](const auto& factor) {
      std::uint64_t result = 0;
      for (std::int64_t k = 0; k < depth; ++k) result += factor(k) * a_[static_cast<std::size_t>(k)];
      return result;
    };
    expect_words([&](auto* out, auto n) { loops_.dot(m.data(), kStride, n, depth, a_.data(), out); },
                 [&](std::size_t r) { return sum([&](auto k) { return at(static_cast<std::int64_t>(r), k); }); });
    expect_words([&](auto* out, auto n) { loops_.combine(m.data(), kStride, depth, n, a_.data(), out); },
                 [&](std::size_t c) { return sum([&](auto k) { return at(k, static_cast<std::int64_t>(c)); }); });
  }
}

TEST_P(LoopsOn, CombineSparse) {
  const std::vector<std::int32_t> cols = {0, 2, 3, 7, 8, 9, 11, 15, 16, 17, 18, 19, 20};
  const Vector x = random_words(21 * 100, 7);
  for (const std::int64_t entries : {std::int64_t{0}, std::int64_t{1}, std::ssize(cols)}) {
    for (const std::int64_t n : kCounts) {
      Vector out(static_cast<std::size_t>(n) + 1, 99), expected = out;
      for (std::int64_t c = 0; c < n; ++c) {
        std::uint64_t sum = 0;
        for (std::size_t e = 0; e < static_cast<std::size_t>(entries); ++e) {
          sum += a_[e] * x[static_cast<std::size_t>(cols[e] * n + c)];
        }
        expected[static_cast<std::size_t>(c)] = sum & kMask;
      }
      loops_.combine_sparse(a_.data(), cols.data(), entries, x.data(), n, out.data(), kMask);
      ASSERT_EQ(out, expected) << entries << " entries, " << n << " columns";
    }
  }
}

TEST_P(LoopsOn, TransposeBits) {
  const Vector in = random_words(64, 8);
  Vector expected(64);
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) expected[j] |= (in[i] >> j & 1) << i;
  }
  Vector out(64);
  loops_.transpose_bits(in.data(), out.data());
  EXPECT_EQ(out, expected);
  out = in;
  loops_.transpose_bits(out.data(), out.data());
  EXPECT_EQ(out, expected);
}

TEST_P(LoopsOn, Widen) {
  for (const std::int64_t words : {0, 1, 3}) {
    Vector out(static_cast<std::size_t>(words) * 64 + 1, 99), expected = out;
    for (std::size_t i = 0; i + 1 < expected.size(); ++i) expected[i] = a_[i / 64] >> (i % 64) & 1;
    loops_.widen(a_.data(), words, out.data());
    EXPECT_EQ(out, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Available, LoopsOn, testing::ValuesIn(available_instructions()),
                         [](const auto& which) { return std::string(name(which.param)); });

}  // namespace
}  // namespace tacit::mpc
