// The loops of loops.h, included once by every loops_*.cc, which differ in the compiler's options only.
//
// Do not call an inline function of the standard library here: the linker keeps one copy for the whole program, perhaps
// this one, and older processors would fail on its instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpc/kernels/loops.h"
#include "net/fetch_ahead.h"

#if defined(__clang__)
#define TACIT_WIDE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define TACIT_WIDE_LOOP _Pragma("GCC ivdep")  // an output that is an input is read before it is written
#endif

namespace tacit::mpc {
namespace {

using Word = std::uint64_t;

void add(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] + b[i]) & mask;
}

void subtract(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] - b[i]) & mask;
}

void negate(const Word* a, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (0 - a[i]) & mask;
}

void multiply(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] * b[i]) & mask;
}

void scale(const Word* a, Word factor, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] * factor) & mask;
}

void add_constant(const Word* a, Word constant, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] + constant) & mask;
}

void add_with_constant(const Word* a, const Word* b, Word constant, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] + b[i] + constant) & mask;
}

void reduce(const Word* a, Word* out, std::int64_t n, Word mask) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = a[i] & mask;
}

void drop_bits(const Word* a, int bits, Word offset, Word* out, std::int64_t n, Word wide) {
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] = ((a[i] + offset) & wide) >> bits;
}

void product(const Word* const* inputs, bool first, Word* out, std::int64_t n, Word mask) {
  const Word *dx = inputs[0], *lx = inputs[1], *dy = inputs[2], *ly = inputs[3], *gamma = inputs[4];
  if (first) {
    TACIT_WIDE_LOOP
    for (std::int64_t i = 0; i < n; ++i) out[i] = (dx[i] * (dy[i] - ly[i]) - lx[i] * dy[i] + gamma[i]) & mask;
  } else {
    TACIT_WIDE_LOOP
    for (std::int64_t i = 0; i < n; ++i) out[i] = (gamma[i] - dx[i] * ly[i] - lx[i] * dy[i]) & mask;
  }
}

// Four rows at a time: x is read once for all.
void dot(const Word* m, std::int64_t row_stride, std::int64_t rows, std::int64_t depth, const Word* x, Word* out) {
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const Word *m0 = m + r * row_stride, *m1 = m0 + row_stride, *m2 = m1 + row_stride, *m3 = m2 + row_stride;
    Word sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    for (std::int64_t k = 0; k < depth; ++k) {
      sum0 += m0[k] * x[k];
      sum1 += m1[k] * x[k];
      sum2 += m2[k] * x[k];
      sum3 += m3[k] * x[k];
    }
    out[r] = sum0;
    out[r + 1] = sum1;
    out[r + 2] = sum2;
    out[r + 3] = sum3;
  }
  for (; r < rows; ++r) {
    const Word* row = m + r * row_stride;
    Word sum = 0;
    for (std::int64_t k = 0; k < depth; ++k) sum += row[k] * x[k];
    out[r] = sum;
  }
}

// Eight rows at a time: out is read and written once for all.
void combine(const Word* m, std::int64_t row_stride, std::int64_t depth, std::int64_t cols, const Word* x, Word* out) {
  for (std::int64_t c = 0; c < cols; ++c) out[c] = 0;
  std::int64_t k = 0;
  for (; k + 8 <= depth; k += 8, x += 8) {
    const Word *m0 = m + k * row_stride, *m1 = m0 + row_stride, *m2 = m1 + row_stride, *m3 = m2 + row_stride;
    const Word *m4 = m3 + row_stride, *m5 = m4 + row_stride, *m6 = m5 + row_stride, *m7 = m6 + row_stride;
    TACIT_WIDE_LOOP
    for (std::int64_t c = 0; c < cols; ++c) {
      out[c] += (x[0] * m0[c] + x[1] * m1[c]) + (x[2] * m2[c] + x[3] * m3[c]) + (x[4] * m4[c] + x[5] * m5[c]) +
                (x[6] * m6[c] + x[7] * m7[c]);
    }
  }
  for (; k < depth; ++k, ++x) {
    const Word* row = m + k * row_stride;
    TACIT_WIDE_LOOP
    for (std::int64_t c = 0; c < cols; ++c) out[c] += *x * row[c];
  }
}

Word coefficient(Word state) {
  state *= 0x9e3779b97f4a7c15;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

Word sum_with_coefficients(const Word* x, std::int64_t n, Word first) {
  Word sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += coefficient(first + static_cast<Word>(i)) * x[i];
  return sum;
}

// A vector. The compiler splits its operations if the processor's vectors are shorter.
using Lanes = Word __attribute__((vector_size(64)));
constexpr std::int64_t kLanes = 8;
constexpr std::int64_t kAhead = 8;  // entries between a row of x asked for and its use

// Columns at … at + kVectors·8 - 1, their sums kept in registers over all entries.
template <int kVectors>
void combine_sparse_columns(const Word* values, const std::int32_t* cols, std::int64_t entries, const Word* x,
                            std::int64_t n, Word* out, Word mask) {
  Lanes sums[std::size_t{kVectors}] = {};
  for (std::int64_t e = 0; e < entries; ++e) {
    if (e + kAhead < entries) {
      for (int v = 0; v < kVectors; ++v) __builtin_prefetch(x + cols[e + kAhead] * n + v * kLanes);
    }
    const Word* row = x + cols[e] * n;
    for (int v = 0; v < kVectors; ++v) {
      Lanes words;
      __builtin_memcpy(&words, row + v * kLanes, sizeof words);
      sums[v] += words * values[e];
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const Lanes reduced = sums[v] & mask;
    __builtin_memcpy(out + v * kLanes, &reduced, sizeof reduced);
  }
}

void combine_sparse(const Word* values, const std::int32_t* cols, std::int64_t entries, const Word* x, std::int64_t n,
                    Word* out, Word mask) {
  std::int64_t at = 0;
  for (; at + 4 * kLanes <= n; at += 4 * kLanes) {
    combine_sparse_columns<4>(values, cols, entries, x + at, n, out + at, mask);
  }
  for (; at + 2 * kLanes <= n; at += 2 * kLanes) {
    combine_sparse_columns<2>(values, cols, entries, x + at, n, out + at, mask);
  }
  for (; at + kLanes <= n; at += kLanes) {
    combine_sparse_columns<1>(values, cols, entries, x + at, n, out + at, mask);
  }
  if (at == n) return;
  Word sums[kLanes] = {};
  for (std::int64_t e = 0; e < entries; ++e) {
    const Word* row = x + cols[e] * n + at;
    for (std::int64_t c = 0; c < n - at; ++c) sums[c] += values[e] * row[c];
  }
  for (std::int64_t c = 0; c < n - at; ++c) out[at + c] = sums[c] & mask;
}

void widen(const Word* bits, std::int64_t words, Word* out) {
  for (std::int64_t w = 0; w < words; ++w) {
    const Word word = bits[w];
    Word* to = out + w * 64;
    for (Word i = 0; i < 64; ++i) to[i] = (word >> i) & 1;
  }
}

// Exchanges the two off-diagonal squares of kSide bits, in every square of twice that side.
template <int kSide>
void exchange_squares(const Word* in, Word* out) {
  constexpr Word kLower = ~Word{0} / ((Word{1} << kSide) + 1);  // kSide ones, kSide zeros, and so on
  for (int base = 0; base < 64; base += 2 * kSide) {
    for (int i = base; i < base + kSide; ++i) {
      const Word differ = ((in[i] >> kSide) ^ in[i + kSide]) & kLower;
      const Word above = in[i + kSide] ^ differ;
      out[i] = in[i] ^ (differ << kSide);
      out[i + kSide] = above;
    }
  }
}

void transpose_bits(const Word* in, Word* out) {
  Word a[64];
  exchange_squares<32>(in, a);
  exchange_squares<16>(a, a);
  exchange_squares<8>(a, a);
  exchange_squares<4>(a, a);
  exchange_squares<2>(a, a);
  exchange_squares<1>(a, a);
  for (int i = 0; i < 64; ++i) out[i] = a[i];
}

// Eight words of every plane at a time: a cache line, though all planes may begin at the same place of the cache.
void bit_planes(const PlanesWords& of, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kAtOnce = 8;
  Word block[64], planes[kAtOnce][64];
  for (std::int64_t at = begin; at < end; at += kAtOnce) {
    const std::int64_t n = end - at < kAtOnce ? end - at : kAtOnce;
    for (std::int64_t b = 0; b < n; ++b) {
      const Word* words = of.words + (at + b) * 64;
      for (int i = 0; i < 64; ++i) block[i] = (words[i] ^ of.flip) + of.constant;
      transpose_bits(block, planes[b]);
    }
    for (int j = 0; j < of.count; ++j) {
      for (std::int64_t b = 0; b < n; ++b) of.out[j][at + b] = planes[b][of.first + j];
    }
  }
}

// The lift to a ring that is not wider, which has no wrap.
void lift_without_wrap(const LiftWords& of, std::int64_t begin, std::int64_t end) {
  const Word *m = of.m, *r = of.r;
  Word* out = of.out;
  const Word offset = of.offset, all = of.all, mask = of.mask;
  TACIT_WIDE_LOOP
  for (std::int64_t i = begin; i < end; ++i) out[i] = (((m[i] - offset) & all) - r[i]) & mask;
}

void lift(const LiftWords& of, std::int64_t begin, std::int64_t end) {
  if (of.over == nullptr) return lift_without_wrap(of, begin, end);
  const Word *m = of.m, *r = of.r, *over = of.over, *sigma = of.sigma;
  Word* out = of.out;
  const Word offset = of.offset, all = of.all, mask = of.mask;
  const int bits = of.bits;
  TACIT_WIDE_LOOP
  for (std::int64_t i = begin; i < end; ++i) {
    const Word wraps = (m[i] >> (bits - 1)) - 1;
    out[i] = (((m[i] - offset) & all) - r[i] + ((over[i] + (sigma[i] & wraps)) << bits)) & mask;
  }
}

// The words at … at + count - 1, all with their bits in one word of delta.
template <bool kWrap>
void select_64(const SelectWords& of, std::int64_t at, std::int64_t count) {
  const LiftWords& l = of.lift;
  const Word *m = l.m + at, *r = l.r + at, *mu = of.mu + at, *mu_r = of.mu_r + at;
  const Word *over = nullptr, *sigma = nullptr, *mu_over = nullptr, *mu_sigma = nullptr;
  if constexpr (kWrap) {
    over = l.over + at, sigma = l.sigma + at;
    mu_over = of.mu_over + at, mu_sigma = of.mu_sigma + at;
  }
  Word* out = l.out + at;
  constexpr std::int64_t kBytes = 64 * sizeof(Word);
  const Word* const always[] = {m, r, mu, mu_r, out};
  for (const Word* words : always) net::fetch_ahead(words, kBytes);
  if constexpr (kWrap) {
    const Word* const terms[] = {over, sigma, mu_over, mu_sigma};
    for (const Word* words : terms) net::fetch_ahead(words, kBytes);
  }
  const Word delta = of.delta[at / 64], offset = l.offset, all = l.all, mask = l.mask;
  const int bits = l.bits;
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < count; ++i) {
    const Word c = m[i] - offset;
    Word x = (c & all) - r[i];
    Word mu_x = c * mu[i] - mu_r[i];
    if constexpr (kWrap) {
      const Word wraps = (m[i] >> (bits - 1)) - 1;
      x += (over[i] + (sigma[i] & wraps)) << bits;
      mu_x += (mu_over[i] + (mu_sigma[i] & wraps)) << bits;
    }
    const Word set = 0 - ((delta >> i) & 1);
    out[i] = (((x - mu_x) & set) | (mu_x & ~set)) & mask;
  }
}

template <bool kWrap>
void select_words(const SelectWords& of, std::int64_t begin, std::int64_t end) {
  for (std::int64_t at = begin; at < end; at += 64) select_64<kWrap>(of, at, end - at < 64 ? end - at : 64);
}

void select(const SelectWords& of, std::int64_t begin, std::int64_t end) {
  of.lift.over == nullptr ? select_words<false>(of, begin, end) : select_words<true>(of, begin, end);
}

void wrap_terms(const WrapTerms& of, std::int64_t begin, std::int64_t end) {
  const Word *r = of.r, *mu = of.mu;
  Word *over = of.over, *sigma = of.sigma, *mu_over = of.mu_over, *mu_sigma = of.mu_sigma;
  const Word mask = of.mask;
  const int bits = of.bits;
  if (mu == nullptr) {
    TACIT_WIDE_LOOP
    for (std::int64_t i = begin; i < end; ++i) {
      over[i] = (r[i] >> bits) & mask;
      sigma[i] = (r[i] >> (bits - 1)) & 1;
    }
    return;
  }
  TACIT_WIDE_LOOP
  for (std::int64_t i = begin; i < end; ++i) {
    const Word set = 0 - mu[i], the_over = (r[i] >> bits) & mask, the_sigma = (r[i] >> (bits - 1)) & 1;
    over[i] = the_over;
    sigma[i] = the_sigma;
    mu_over[i] = the_over & set;
    mu_sigma[i] = the_sigma & set;
  }
}

// Calls part(x, from, to) for each x: the words from … to - 1 of y share this word of x.
template <class Words, class Part>
void by_x(const Words& of, std::int64_t begin, std::int64_t end, const Part& part) {
  while (begin < end) {
    const std::int64_t x = begin / of.each, next = (x + 1) * of.each, stop = next < end ? next : end;
    part(x, begin, stop);
    begin = stop;
  }
}

template <bool kOne>
void lifted_product_part(const LiftedProductWords& of, std::int64_t x_at, std::int64_t begin, std::int64_t end) {
  const LiftedProductWords::Factor &x = of.x, &y = of.y;
  const Word *mx = x.m + x_at, *rx = x.r + x_at, *over_x = x.over + x_at, *sigma_x = x.sigma + x_at;
  const Word *my = y.m + begin, *ry = y.r + begin, *over_y = y.over + begin, *sigma_y = y.sigma + begin;
  const Word *rho_rho = of.rho_rho + begin, *rho_sigma = of.rho_sigma + begin, *sigma_rho = of.sigma_rho + begin;
  const Word* sigma_sigma = of.sigma_sigma == nullptr ? nullptr : of.sigma_sigma + begin;
  Word* out = of.out + begin;
  const Word x_offset = x.offset, y_offset = y.offset, all = of.all, mask = of.mask;
  const int k = x.bits, l = y.bits;
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < end - begin; ++i) {
    const std::int64_t j = kOne ? 0 : i;
    const Word cx = mx[j] - x_offset, cy = my[i] - y_offset;
    const Word x_wraps = (mx[j] >> (k - 1)) - 1, y_wraps = (my[i] >> (l - 1)) - 1;
    const Word x_share = ((over_x[j] + (sigma_x[j] & x_wraps)) << k) - rx[j];
    const Word y_share = ((over_y[i] + (sigma_y[i] & y_wraps)) << l) - ry[i];
    const Word both = rho_rho[i] - ((rho_sigma[i] & y_wraps) << l) - ((sigma_rho[i] & x_wraps) << k);
    out[i] = (((cx * cy) & all) + cx * y_share + cy * x_share + both) & mask;
  }
  if (sigma_sigma == nullptr) return;
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < end - begin; ++i) {
    const Word x_wraps = (mx[kOne ? 0 : i] >> (k - 1)) - 1, y_wraps = (my[i] >> (l - 1)) - 1;
    out[i] = (out[i] + ((sigma_sigma[i] & x_wraps & y_wraps) << (k + l))) & mask;
  }
}

void lifted_product(const LiftedProductWords& of, std::int64_t begin, std::int64_t end) {
  if (of.each == 1) return lifted_product_part<false>(of, begin, begin, end);
  by_x(of, begin, end,
       [&](std::int64_t x, std::int64_t from, std::int64_t to) { lifted_product_part<true>(of, x, from, to); });
}

template <bool kOne>
void lifted_product_terms_part(const LiftedProductTerms& of, std::int64_t x_at, std::int64_t begin, std::int64_t end) {
  const Word *rx = of.rx + x_at, *ry = of.ry + begin;
  Word *rho_rho = of.rho_rho + begin, *rho_sigma = of.rho_sigma + begin, *sigma_rho = of.sigma_rho + begin;
  Word* sigma_sigma = of.sigma_sigma == nullptr ? nullptr : of.sigma_sigma + begin;
  const int k = of.x_bits, l = of.y_bits;
  const Word low_x = ((Word{1} << (k - 1)) << 1) - 1, low_y = ((Word{1} << (l - 1)) << 1) - 1;
  const Word mask = of.mask, over_x = of.over_x, over_y = of.over_y;
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < end - begin; ++i) {
    const Word x = rx[kOne ? 0 : i], rho_x = x & low_x, rho_y = ry[i] & low_y;
    const Word not_x = ((x >> (k - 1)) & 1) - 1, not_y = ((ry[i] >> (l - 1)) & 1) - 1;  // 0 if sigma is set
    rho_rho[i] = (rho_x * rho_y) & mask;
    rho_sigma[i] = rho_x & ~not_y & over_y;
    sigma_rho[i] = rho_y & ~not_x & over_x;
  }
  if (sigma_sigma == nullptr) return;
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < end - begin; ++i) {
    sigma_sigma[i] = (rx[kOne ? 0 : i] >> (k - 1)) & (ry[i] >> (l - 1)) & 1;
  }
}

void lifted_product_terms(const LiftedProductTerms& of, std::int64_t begin, std::int64_t end) {
  if (of.each == 1) return lifted_product_terms_part<false>(of, begin, begin, end);
  by_x(of, begin, end,
       [&](std::int64_t x, std::int64_t from, std::int64_t to) { lifted_product_terms_part<true>(of, x, from, to); });
}

// Words at … at + 7, or zeros from `end` on; and back.
void load(const Word* from, std::int64_t at, std::int64_t end, Lanes& words) {
  if (end - at >= kLanes) {
    __builtin_memcpy(&words, from + at, sizeof words);
  } else {
    words = Lanes{};
    for (std::int64_t i = 0; i < end - at; ++i) words[i] = from[at + i];
  }
}

void store(const Lanes& words, Word* to, std::int64_t at, std::int64_t end) {
  if (end - at >= kLanes) {
    __builtin_memcpy(to + at, &words, sizeof words);
  } else {
    for (std::int64_t i = 0; i < end - at; ++i) to[at + i] = words[i];
  }
}

constexpr int kMostSubsets = 256;

// products[set] is the product of the factors in the set; of no factors, all ones.
void tabulate(const Word* const* factors, int count, std::int64_t at, std::int64_t end, Lanes* products) {
  products[0] = ~Lanes{};
  for (int j = 0; j < count; ++j) {
    Lanes factor;
    load(factors[j], at, end, factor);
    for (int set = 0; set < 1 << j; ++set) products[(1 << j) + set] = products[set] & factor;
  }
}

void subset_products(const SubsetWords& of, std::int64_t begin, std::int64_t end) {
  Lanes products[kMostSubsets];
  for (std::int64_t at = begin; at < end; at += kLanes) {
    tabulate(of.factors, of.count, at, end, products);
    for (int set = 1; set < 1 << of.count; ++set) store(products[set], of.out[set - 1], at, end);
  }
}

// Some of the dealt products, in a regular order: product t belongs to the set t of some mask bits.
struct DealtSets {
  const Word* const* planes;
  int first, stride;
};

constexpr std::int64_t kPart = 128;  // words: each plane is read by several cache lines at a time

// The sum over the sets t of `count` mask bits of product t times the open bits outside t, for the words at … at + n - 1.
// Bit by bit, from the lowest: a sum without a bit, times the open bit, plus the sum with the bit.
void sum_of_sets(const DealtSets& dealt, int from, int count, const Word* const* open, std::int64_t at, std::int64_t n,
                 Word* out) {
  if (count == 0) {
    const Word* only = dealt.planes[dealt.first + from * dealt.stride] + at;
    TACIT_WIDE_LOOP
    for (std::int64_t i = 0; i < n; ++i) out[i] = only[i];
    return;
  }
  const Word* bit = open[count - 1] + at;
  const int with_bit = from + (1 << (count - 1));
  if (count == 1) {
    const Word* without = dealt.planes[dealt.first + from * dealt.stride] + at;
    const Word* with = dealt.planes[dealt.first + with_bit * dealt.stride] + at;
    TACIT_WIDE_LOOP
    for (std::int64_t i = 0; i < n; ++i) out[i] = (bit[i] & without[i]) ^ with[i];
    return;
  }
  Word without[kPart];
  sum_of_sets(dealt, from, count - 1, open, at, n, without);
  sum_of_sets(dealt, with_bit, count - 1, open, at, n, out);
  TACIT_WIDE_LOOP
  for (std::int64_t i = 0; i < n; ++i) out[i] ^= bit[i] & without[i];
}

// From the highest bit down. `lowest` is the sum over all sets with lowest bit j: dealt product times the open bits between.
// "c < r" grows by same_j times this sum. "c = r" is same_j times its value without bit j, plus this sum.
void group_shares(const GroupWords& of, std::int64_t begin, std::int64_t end) {
  Word lowest[kPart];
  for (std::int64_t at = begin; at < end; at += kPart) {
    const std::int64_t n = end - at < kPart ? end - at : kPart;
    Word *generate = of.generate + at, *propagate = of.propagate + at;
    for (std::int64_t i = 0; i < n; ++i) {
      generate[i] = 0;
      propagate[i] = of.all;
    }
    for (int j = of.bits - 1; j >= 0; --j) {
      const DealtSets with_lowest_j{of.dealt, (1 << j) - 1, 2 << j};
      sum_of_sets(with_lowest_j, 0, of.bits - 1 - j, of.same + j + 1, at, n, lowest);
      const Word* same = of.same[j] + at;
      TACIT_WIDE_LOOP
      for (std::int64_t i = 0; i < n; ++i) {
        generate[i] ^= same[i] & lowest[i];
        propagate[i] = (same[i] & propagate[i]) ^ lowest[i];
      }
    }
  }
}

// Goes from the highest group down. `above`: the share of the product of all propagates above group k.
void carry_share(const CarryWords& of, std::int64_t begin, std::int64_t end) {
  Word share[kPart], above[kPart];
  for (std::int64_t at = begin; at < end; at += kPart) {
    const std::int64_t n = end - at < kPart ? end - at : kPart;
    Word* sum = of.out + at;
    for (std::int64_t i = 0; i < n; ++i) {
      above[i] = of.all;
      sum[i] = 0;
    }
    int of_g = (1 << of.groups) + (1 << (of.groups - 1)) - 2;  // the end of the products with g_k
    for (int k = of.groups - 1; k >= 0; --k) {
      const int higher = of.groups - 1 - k;
      if (higher > 0) {
        const DealtSets with_lowest_k{of.dealt, (1 << k) - 1, 2 << k};
        sum_of_sets(with_lowest_k, 0, higher - 1, of.delta_p + k + 1, at, n, share);
        const Word* delta = of.delta_p[k] + at;
        TACIT_WIDE_LOOP
        for (std::int64_t i = 0; i < n; ++i) above[i] = (delta[i] & above[i]) ^ share[i];
      }
      of_g -= 1 << higher;
      sum_of_sets({of.dealt, of_g, 1}, 0, higher, of.delta_p + k, at, n, share);
      const Word* delta = of.delta_g[k] + at;
      TACIT_WIDE_LOOP
      for (std::int64_t i = 0; i < n; ++i) sum[i] ^= (delta[i] & above[i]) ^ share[i];
    }
  }
}

constexpr Loops kLoops = {add,
                          subtract,
                          negate,
                          multiply,
                          scale,
                          add_constant,
                          add_with_constant,
                          reduce,
                          drop_bits,
                          product,
                          dot,
                          combine,
                          sum_with_coefficients,
                          combine_sparse,
                          widen,
                          transpose_bits,
                          bit_planes,
                          lift,
                          select,
                          wrap_terms,
                          lifted_product,
                          lifted_product_terms,
                          subset_products,
                          group_shares,
                          carry_share};

}  // namespace
}  // namespace tacit::mpc
