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
  expect_words([&](auto* out, auto n) { loops_.add_with_constant(a_.data(), b_.data(), c_[0], out, n, kMask); },
               [&](std::size_t i) { return (a_[i] + b_[i] + c_[0]) & kMask; });
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

TEST_P(LoopsOn, BitPlanes) {
  constexpr std::size_t kPlaneWords = 19;
  const Vector in = random_words(kPlaneWords * 64, 8);
  for (const int first : {0, 5, 63}) {
    for (const int count : {1, 26, 64}) {
      if (first + count > 64) continue;
      for (const auto& [begin, end] : {std::pair{0, 0}, {0, 1}, {1, 8}, {3, 11}, {0, 16}, {2, 19}}) {
        std::vector<Vector> planes(static_cast<std::size_t>(count), Vector(kPlaneWords, 99)), expected = planes;
        std::vector<std::uint64_t*> out;
        for (Vector& plane : planes) out.push_back(plane.data());
        loops_.bit_planes({in.data(), a_[0], ~std::uint64_t{0}, first, count, out.data()}, begin, end);
        for (std::size_t j = 0; j < expected.size(); ++j) {
          for (auto w = static_cast<std::size_t>(begin); w < static_cast<std::size_t>(end); ++w) {
            expected[j][w] = 0;
            for (std::size_t i = 0; i < 64; ++i) {
              const std::uint64_t word = ~in[64 * w + i] + a_[0];
              expected[j][w] |= (word >> (static_cast<std::size_t>(first) + j) & 1) << i;
            }
          }
        }
        ASSERT_EQ(planes, expected) << first << ", " << count << " planes, words " << begin << " to " << end;
      }
    }
  }
}

TEST_P(LoopsOn, SumWithCoefficientsIsTheSameOnAllAndInParts) {
  for (const std::int64_t n : kCounts) {
    const std::uint64_t sum = loops_.sum_with_coefficients(a_.data(), n, b_[0]);
    EXPECT_EQ(sum, loops_portable().sum_with_coefficients(a_.data(), n, b_[0])) << n;
    const std::int64_t part = n / 3;
    EXPECT_EQ(sum,
              loops_.sum_with_coefficients(a_.data(), part, b_[0]) +
                  loops_.sum_with_coefficients(a_.data() + part, n - part, b_[0] + static_cast<std::uint64_t>(part)))
        << n;
  }
  EXPECT_NE(loops_.sum_with_coefficients(a_.data(), 2, b_[0]), 0U);
}

TEST_P(LoopsOn, Widen) {
  for (const std::int64_t words : {0, 1, 3}) {
    Vector out(static_cast<std::size_t>(words) * 64 + 1, 99), expected = out;
    for (std::size_t i = 0; i + 1 < expected.size(); ++i) expected[i] = a_[i / 64] >> (i % 64) & 1;
    loops_.widen(a_.data(), words, out.data());
    EXPECT_EQ(out, expected);
  }
}

// The shares of x and of mu·x that select() chooses from.
struct Shares {
  std::uint64_t x, mu_x;
};

TEST_P(LoopsOn, LiftAndSelect) {
  constexpr int kBits = 40;
  constexpr std::uint64_t kOffset = std::uint64_t{1} << (kBits - 2);
  const Vector m = random_words(100, 6), f = random_words(100, 7), g = random_words(100, 8), h = random_words(100, 9);
  for (const bool wider : {false, true}) {
    for (const std::uint64_t all : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      const auto shares = [&](std::size_t i) {
        const std::uint64_t word = m[i] & low_bits(kBits), not_set = word >> (kBits - 1) ? 0 : 1;
        const std::uint64_t wrap = wider ? (b_[i] + c_[i] * not_set) << kBits : 0;
        const std::uint64_t mu_wrap = wider ? (f[i] + g[i] * not_set) << kBits : 0;
        return Shares{((word - kOffset) & all) - a_[i] + wrap, (word - kOffset) * d_[i] - e_[i] + mu_wrap};
      };
      Vector narrow = m;
      for (std::uint64_t& word : narrow) word &= low_bits(kBits);
      LiftWords lift{.m = narrow.data(),
                     .r = a_.data(),
                     .over = wider ? b_.data() : nullptr,
                     .sigma = wider ? c_.data() : nullptr,
                     .out = nullptr,
                     .bits = kBits,
                     .offset = kOffset,
                     .all = all,
                     .mask = kMask};
      expect_words(
          [&](auto* out, auto n) {
            lift.out = out;
            loops_.lift(lift, 0, n);
          },
          [&](std::size_t i) { return shares(i).x & kMask; });
      expect_words(
          [&](auto* out, auto n) {
            lift.out = out;
            const SelectWords select{lift, h.data(), d_.data(), e_.data(), f.data(), g.data()};
            loops_.select(select, std::min<std::int64_t>(n, 64), n);
            loops_.select(select, 0, std::min<std::int64_t>(n, 64));
          },
          [&](std::size_t i) {
            const Shares of = shares(i);
            return (h[i / 64] >> (i % 64) & 1 ? of.x - of.mu_x : of.mu_x) & kMask;
          });
    }
  }
}

// In two ranges, as threads take them.
template <class Loop>
void in_two_ranges(std::int64_t n, const Loop& loop) {
  loop(n / 3, n);
  loop(0, n / 3);
}

TEST_P(LoopsOn, WrapTerms) {
  constexpr int kBits = 40;
  const std::uint64_t mask = low_bits(11);
  Vector mu = b_, other(101);
  for (std::uint64_t& word : mu) word &= 1;
  const auto over = [&](std::size_t i) { return a_[i] >> kBits & mask; };
  const auto sigma = [&](std::size_t i) { return a_[i] >> (kBits - 1) & 1; };
  for (const bool times_mu : {false, true}) {
    WrapTerms terms{a_.data(), kBits, mask, nullptr, nullptr, nullptr, nullptr, nullptr};
    if (times_mu) terms.mu = mu.data();
    const auto expect_term = [&](std::uint64_t* WrapTerms::*term, const auto& definition) {
      expect_words(
          [&](auto* out, auto n) {
            WrapTerms of = terms;
            of.over = of.sigma = other.data();
            if (times_mu) of.mu_over = of.mu_sigma = other.data();
            of.*term = out;
            in_two_ranges(n, [&](auto begin, auto end) { loops_.wrap_terms(of, begin, end); });
          },
          definition);
    };
    expect_term(&WrapTerms::over, over);
    expect_term(&WrapTerms::sigma, sigma);
    if (!times_mu) continue;
    expect_term(&WrapTerms::mu_over, [&](std::size_t i) { return over(i) * mu[i]; });
    expect_term(&WrapTerms::mu_sigma, [&](std::size_t i) { return sigma(i) * mu[i]; });
  }
}

TEST_P(LoopsOn, LiftedProduct) {
  constexpr int kX = 20, kY = 24;
  const Vector f = random_words(100, 7), g = random_words(100, 8), h = random_words(100, 9), o = random_words(100, 10),
               p = random_words(100, 11), q = random_words(100, 12);
  for (const std::int64_t each : {1, 5, 16}) {
    for (const bool both : {false, true}) {
      for (const std::uint64_t all : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        LiftedProductWords words{{a_.data(), b_.data(), c_.data(), d_.data(), kX, 77},
                                 {e_.data(), f.data(), g.data(), h.data(), kY, 99},
                                 o.data(),
                                 p.data(),
                                 q.data(),
                                 both ? f.data() : nullptr,
                                 each,
                                 all,
                                 kMask,
                                 nullptr};
        expect_words(
            [&](auto* out, auto n) {
              words.out = out;
              in_two_ranges(n, [&](auto begin, auto end) { loops_.lifted_product(words, begin, end); });
            },
            [&](std::size_t i) {
              const std::size_t j = i / static_cast<std::size_t>(each);
              const std::uint64_t cx = a_[j] - 77, cy = e_[i] - 99;
              const std::uint64_t nx = (a_[j] >> (kX - 1)) - 1, ny = (e_[i] >> (kY - 1)) - 1;
              const std::uint64_t x = ((c_[j] + (d_[j] & nx)) << kX) - b_[j];
              const std::uint64_t y = ((g[i] + (h[i] & ny)) << kY) - f[i];
              std::uint64_t rest = o[i] - ((p[i] & ny) << kY) - ((q[i] & nx) << kX);
              if (both) rest += (f[i] & nx & ny) << (kX + kY);
              return ((cx * cy & all) + cx * y + cy * x + rest) & kMask;
            });
      }
    }
  }
}

TEST_P(LoopsOn, LiftedProductTerms) {
  constexpr int kX = 20, kY = 24;
  Vector other(101);
  for (const std::int64_t each : {1, 5, 16}) {
    for (const bool both : {false, true}) {
      const LiftedProductTerms terms{
          a_.data(),         b_.data(),         kX,           kY,           each,         kMask,
          low_bits(51 - kX), low_bits(51 - kY), other.data(), other.data(), other.data(), nullptr};
      const auto expect_term = [&](std::uint64_t* LiftedProductTerms::*term, const auto& definition) {
        expect_words(
            [&](auto* out, auto n) {
              LiftedProductTerms of = terms;
              if (both) of.sigma_sigma = other.data();
              of.*term = out;
              in_two_ranges(n, [&](auto begin, auto end) { loops_.lifted_product_terms(of, begin, end); });
            },
            [&](std::size_t i) {
              const std::uint64_t x = a_[i / static_cast<std::size_t>(each)], y = b_[i];
              return definition(x & low_bits(kX), x >> (kX - 1) & 1, y & low_bits(kY), y >> (kY - 1) & 1);
            });
      };
      expect_term(&LiftedProductTerms::rho_rho, [](auto x, auto, auto y, auto) { return x * y & kMask; });
      expect_term(&LiftedProductTerms::rho_sigma,
                  [](auto x, auto, auto, auto sigma_y) { return x * sigma_y & low_bits(51 - kY); });
      expect_term(&LiftedProductTerms::sigma_rho,
                  [](auto, auto sigma_x, auto y, auto) { return y * sigma_x & low_bits(51 - kX); });
      if (!both) continue;
      expect_term(&LiftedProductTerms::sigma_sigma,
                  [](auto, auto sigma_x, auto, auto sigma_y) { return sigma_x & sigma_y; });
    }
  }
}

// Bits of 64 elements a word, and a place for the products of every set of these words.
struct Factors {
  Factors(int count, std::int64_t words, std::uint64_t seed) {
    for (int j = 0; j < count; ++j) bits.push_back(random_words(words, seed + static_cast<std::uint64_t>(j)));
    products.resize((std::size_t{1} << count) - 1, Vector(static_cast<std::size_t>(words) + 1, 99));
    for (const Vector& one : bits) from.push_back(one.data());
    for (Vector& one : products) to.push_back(one.data());
    for (const Vector& one : products) dealt.push_back(one.data());
  }
  SubsetWords words() const { return {from.data(), static_cast<int>(from.size()), to.data()}; }

  std::vector<Vector> bits, products;
  std::vector<const std::uint64_t*> from, dealt;
  std::vector<std::uint64_t*> to;
};

TEST_P(LoopsOn, SubsetProductsAndGroupShares) {
  for (const std::int64_t n : kCounts) {
    for (int size = 1; size <= 8; ++size) {
      SCOPED_TRACE(testing::Message() << n << " words, " << size << " bits");
      const Factors same(size, n, 10);
      Factors r(size, n, 20);
      loops_.subset_products(r.words(), 0, n);
      for (std::size_t set = 1; set <= r.products.size(); ++set) {
        for (std::size_t w = 0; w < static_cast<std::size_t>(n); ++w) {
          std::uint64_t product = ~std::uint64_t{0};
          for (std::size_t j = 0; j < r.bits.size(); ++j) product &= set >> j & 1 ? r.bits[j][w] : ~std::uint64_t{0};
          ASSERT_EQ(r.products[set - 1][w], product) << set;
        }
        ASSERT_EQ(r.products[set - 1].back(), 99U);
      }
      Vector less(static_cast<std::size_t>(n) + 1, 99), equal = less;
      loops_.group_shares({same.from.data(), r.dealt.data(), size, ~std::uint64_t{0}, less.data(), equal.data()}, 0, n);
      for (std::size_t w = 0; w < static_cast<std::size_t>(n); ++w) {
        std::uint64_t is_less = 0, is_equal = ~std::uint64_t{0};
        for (std::size_t j = r.bits.size(); j-- > 0;) {
          is_less |= is_equal & same.bits[j][w] & r.bits[j][w];
          is_equal &= same.bits[j][w] ^ r.bits[j][w];
        }
        ASSERT_EQ(less[w], is_less);
        ASSERT_EQ(equal[w], is_equal);
      }
      ASSERT_EQ(less.back(), 99U);
      ASSERT_EQ(equal.back(), 99U);
    }
  }
}

// The shares of one party that holds all: the products of masks, dealt in their order, and the deltas.
TEST_P(LoopsOn, CarryShare) {
  for (const std::int64_t n : kCounts) {
    for (int groups = 1; groups <= 8; ++groups) {
      SCOPED_TRACE(testing::Message() << n << " words, " << groups << " groups");
      const Factors delta_g(groups, n, 30), delta_p(groups - 1, n, 40), mu_g(groups, n, 50);
      Factors mu_p(groups - 1, n, 60);
      loops_.subset_products(mu_p.words(), 0, n);
      std::vector<Vector> with_g;
      for (int k = 0; k < groups; ++k) {
        for (std::size_t set = 0; set < std::size_t{1} << (groups - 1 - k); ++set) {
          Vector product = mu_g.bits[static_cast<std::size_t>(k)];
          for (std::size_t w = 0; set != 0 && w < product.size(); ++w) product[w] &= mu_p.products[(set << k) - 1][w];
          with_g.push_back(std::move(product));
        }
      }
      std::vector<const std::uint64_t*> dealt = mu_p.dealt;
      for (const Vector& one : with_g) dealt.push_back(one.data());
      Vector out(static_cast<std::size_t>(n) + 1, 99), expected = out;
      for (std::size_t w = 0; w < static_cast<std::size_t>(n); ++w) {
        std::uint64_t above = ~std::uint64_t{0};  // all groups above propagate
        expected[w] = 0;
        for (std::size_t k = delta_g.bits.size(); k-- > 0;) {
          expected[w] ^= (delta_g.bits[k][w] ^ mu_g.bits[k][w]) & above;
          if (k > 0) above &= delta_p.bits[k - 1][w] ^ mu_p.bits[k - 1][w];
        }
      }
      loops_.carry_share(
          {delta_g.from.data(), delta_p.from.data(), dealt.data(), groups, ~std::uint64_t{0}, out.data()}, 0, n);
      ASSERT_EQ(out, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Available, LoopsOn, testing::ValuesIn(available_instructions()),
                         [](const auto& which) { return std::string(name(which.param)); });

}  // namespace
}  // namespace tacit::mpc
