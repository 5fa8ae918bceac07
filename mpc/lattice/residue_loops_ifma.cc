// Eight residues to a register, with products of 52 bits: vpmadd52luq and vpmadd52huq give the low and the high 52 bits. A residue
// below 4p fits, as p has at most 50 bits. A Factor's quotient for 2^52 is its quotient for 2^64 without the 12 lowest bits.
#include <immintrin.h>

#include <array>

#include "mpc/lattice/residue_loops.h"

namespace tacit::mpc::lattice {

namespace {

constexpr std::int64_t kLanes = 8;

using Words = __m512i;

Words load(const std::uint64_t* from) { return _mm512_loadu_si512(from); }
void store(std::uint64_t* to, Words words) { _mm512_storeu_si512(to, words); }
Words all(std::uint64_t word) { return _mm512_set1_epi64(static_cast<long long>(word)); }

struct Factors {
  Words value, quotient;
};

Factors one_factor(const Factor& factor) { return {all(factor.value), all(factor.quotient >> 12)}; }

// `kCount` factors from `first` on, each 8 / kCount times.
template <int kCount>
Factors few_factors(const Roots& roots, std::int64_t first) {
  constexpr int kTimes = kLanes / kCount;
  const Words places =
      _mm512_set_epi64(7 / kTimes, 6 / kTimes, 5 / kTimes, 4 / kTimes, 3 / kTimes, 2 / kTimes, 1 / kTimes, 0);
  constexpr auto kMask = static_cast<__mmask8>((1 << kCount) - 1);
  const Words value = _mm512_maskz_loadu_epi64(kMask, roots.value.data() + first);
  const Words quotient = _mm512_maskz_loadu_epi64(kMask, roots.quotient.data() + first);
  return {_mm512_permutexvar_epi64(places, value), _mm512_permutexvar_epi64(places, _mm512_srli_epi64(quotient, 12))};
}

class Modulo {
 public:
  explicit Modulo(std::uint64_t p)
      : p_(all(p)),
        twice_(all(2 * p)),
        minus_(all((std::uint64_t{1} << 52) - p)),
        mask_(all((std::uint64_t{1} << 52) - 1)) {}

  Words less_p(Words x) const { return _mm512_min_epu64(x, _mm512_sub_epi64(x, p_)); }
  Words less_twice(Words x) const { return _mm512_min_epu64(x, _mm512_sub_epi64(x, twice_)); }
  // y·factor mod p, below 2p, for y < 2^52.
  Words times(Words y, const Factors& factor) const {
    const Words quotient = _mm512_madd52hi_epu64(_mm512_setzero_si512(), y, factor.quotient);
    const Words product = _mm512_madd52lo_epu64(_mm512_setzero_si512(), y, factor.value);
    return _mm512_and_si512(_mm512_madd52lo_epu64(product, quotient, minus_), mask_);
  }
  // x, y = x + root·y, x - root·y: below 4p.
  void forward(Words& x, Words& y, const Factors& root) const {
    const Words low = less_twice(x), high = times(y, root);
    x = _mm512_add_epi64(low, high);
    y = _mm512_sub_epi64(_mm512_add_epi64(low, twice_), high);
  }
  // x, y = x + y, root·(x - y): below 2p.
  void backward(Words& x, Words& y, const Factors& root) const {
    const Words sum = less_twice(_mm512_add_epi64(x, y));
    y = times(_mm512_sub_epi64(_mm512_add_epi64(x, twice_), y), root);
    x = sum;
  }

 private:
  Words p_, twice_, minus_, mask_;
};

// Two registers hold blocks of 2·kHalf words. apart: x has the first halves, and y the second halves. together: the way back.
template <int kHalf>
void apart(Words& x, Words& y);
template <int kHalf>
void together(Words& x, Words& y);

void permute(Words& x, Words& y, Words of_x, Words of_y) {
  const Words both = _mm512_permutex2var_epi64(x, of_x, y);
  y = _mm512_permutex2var_epi64(x, of_y, y);
  x = both;
}

template <>
void apart<4>(Words& x, Words& y) {
  permute(x, y, _mm512_set_epi64(11, 10, 9, 8, 3, 2, 1, 0), _mm512_set_epi64(15, 14, 13, 12, 7, 6, 5, 4));
}
template <>
void together<4>(Words& x, Words& y) {
  apart<4>(x, y);
}
template <>
void apart<2>(Words& x, Words& y) {
  permute(x, y, _mm512_set_epi64(13, 12, 9, 8, 5, 4, 1, 0), _mm512_set_epi64(15, 14, 11, 10, 7, 6, 3, 2));
}
template <>
void together<2>(Words& x, Words& y) {
  permute(x, y, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4));
}
template <>
void apart<1>(Words& x, Words& y) {
  permute(x, y, _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1));
}
template <>
void together<1>(Words& x, Words& y) {
  permute(x, y, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4));
}

// A level of half blocks of kHalf words, in two registers that begin at `word`.
template <int kHalf>
void forward_inside(const Modulo& modulo, const Roots& roots, std::int64_t word, Words& x, Words& y) {
  apart<kHalf>(x, y);
  modulo.forward(x, y, few_factors<kLanes / kHalf>(roots, kDegree / (2 * kHalf) + word / (2 * kHalf)));
  together<kHalf>(x, y);
}
template <int kHalf>
void backward_inside(const Modulo& modulo, const Roots& roots, std::int64_t word, Words& x, Words& y) {
  apart<kHalf>(x, y);
  modulo.backward(x, y, few_factors<kLanes / kHalf>(roots, kDegree / (2 * kHalf) + word / (2 * kHalf)));
  together<kHalf>(x, y);
}

// Two levels in one pass: half blocks of 2·quarter words, then of `quarter`.
void forward_twice(const Modulo& modulo, const Roots& roots, std::int64_t quarter, std::uint64_t* words) {
  const std::int64_t blocks = kDegree / (4 * quarter);
  for (std::int64_t block = 0; block < blocks; ++block, words += 4 * quarter) {
    const Factors first = one_factor(roots[blocks + block]), low = one_factor(roots[2 * (blocks + block)]),
                  high = one_factor(roots[2 * (blocks + block) + 1]);
    for (std::uint64_t* at = words; at < words + quarter; at += kLanes) {
      Words a = load(at), b = load(at + quarter), c = load(at + 2 * quarter), d = load(at + 3 * quarter);
      modulo.forward(a, c, first);
      modulo.forward(b, d, first);
      modulo.forward(a, b, low);
      modulo.forward(c, d, high);
      store(at, a);
      store(at + quarter, b);
      store(at + 2 * quarter, c);
      store(at + 3 * quarter, d);
    }
  }
}

void backward_twice(const Modulo& modulo, const Roots& roots, std::int64_t quarter, std::uint64_t* words) {
  const std::int64_t blocks = kDegree / (4 * quarter);
  for (std::int64_t block = 0; block < blocks; ++block, words += 4 * quarter) {
    const Factors last = one_factor(roots[blocks + block]), low = one_factor(roots[2 * (blocks + block)]),
                  high = one_factor(roots[2 * (blocks + block) + 1]);
    for (std::uint64_t* at = words; at < words + quarter; at += kLanes) {
      Words a = load(at), b = load(at + quarter), c = load(at + 2 * quarter), d = load(at + 3 * quarter);
      modulo.backward(a, b, low);
      modulo.backward(c, d, high);
      modulo.backward(a, c, last);
      modulo.backward(b, d, last);
      store(at, a);
      store(at + quarter, b);
      store(at + 2 * quarter, c);
      store(at + 3 * quarter, d);
    }
  }
}

void forward_once(const Modulo& modulo, const Roots& roots, std::int64_t half, std::uint64_t* words) {
  const std::int64_t blocks = kDegree / (2 * half);
  for (std::int64_t block = 0; block < blocks; ++block, words += 2 * half) {
    const Factors root = one_factor(roots[blocks + block]);
    for (std::uint64_t* at = words; at < words + half; at += kLanes) {
      Words x = load(at), y = load(at + half);
      modulo.forward(x, y, root);
      store(at, x);
      store(at + half, y);
    }
  }
}

void forward(std::uint64_t* words, std::int64_t length, const Roots& roots, std::uint64_t p) {
  const Modulo modulo(p);
  std::int64_t half = copy_short_polynomial(words, length, 4);
  for (; half >= 2 * kLanes; half /= 4) forward_twice(modulo, roots, half / 2, words);
  if (half >= kLanes) forward_once(modulo, roots, half, words);
  for (std::int64_t word = 0; word < kDegree; word += 2 * kLanes) {
    Words x = load(words + word), y = load(words + word + kLanes);
    forward_inside<4>(modulo, roots, word, x, y);
    forward_inside<2>(modulo, roots, word, x, y);
    forward_inside<1>(modulo, roots, word, x, y);
    store(words + word, x);
    store(words + word + kLanes, y);
  }
}

void backward(std::uint64_t* words, const Roots& inverse_roots, const Factor& scale, std::uint64_t p) {
  const Modulo modulo(p);
  for (std::int64_t word = 0; word < kDegree; word += 2 * kLanes) {
    Words x = load(words + word), y = load(words + word + kLanes);
    backward_inside<1>(modulo, inverse_roots, word, x, y);
    backward_inside<2>(modulo, inverse_roots, word, x, y);
    backward_inside<4>(modulo, inverse_roots, word, x, y);
    store(words + word, x);
    store(words + word + kLanes, y);
  }
  static_assert(kDegree == 8 << 10, "five passes of two levels each");
  for (std::int64_t quarter = kLanes; quarter < kDegree / 2; quarter *= 4)
    backward_twice(modulo, inverse_roots, quarter, words);
  const Factors factor = one_factor(scale);
  for (std::int64_t i = 0; i < kDegree; i += kLanes)
    store(words + i, modulo.less_p(modulo.times(load(words + i), factor)));
}

template <std::size_t kCount>
void add_products(std::span<const LimbProduct> products, const SumWords& a, const SumWords& b) {
  std::array<LimbProduct, kCount> each;
  std::copy_n(products.begin(), kCount, each.begin());
  for (std::int64_t i = 0; i < kDegree; i += kLanes) {
    Words low_a = load(a.low + i), high_a = load(a.high + i), low_b = load(b.low + i), high_b = load(b.high + i);
    for (const LimbProduct& one : each) {
      const Words multiplier = load(one.multiplier + i), of_a = load(one.a + i), of_b = load(one.b + i);
      low_a = _mm512_madd52lo_epu64(low_a, of_a, multiplier);
      high_a = _mm512_madd52hi_epu64(high_a, of_a, multiplier);
      low_b = _mm512_madd52lo_epu64(low_b, of_b, multiplier);
      high_b = _mm512_madd52hi_epu64(high_b, of_b, multiplier);
    }
    store(a.low + i, low_a);
    store(a.high + i, high_a);
    store(b.low + i, low_b);
    store(b.high + i, high_b);
  }
}

void multiply_add(std::span<const LimbProduct> products, const SumWords& a, const SumWords& b) {
  switch (products.size()) {
    case 1:
      return add_products<1>(products, a, b);
    case 2:
      return add_products<2>(products, a, b);
    case 3:
      return add_products<3>(products, a, b);
    case 4:
      return add_products<4>(products, a, b);
    default:
      TACIT_CHECK(products.empty());
  }
}

}  // namespace

const ResidueLoops& ifma_residue_loops() {
  static constexpr ResidueLoops kLoops{52, forward, backward, multiply_add};
  return kLoops;
}

}  // namespace tacit::mpc::lattice
