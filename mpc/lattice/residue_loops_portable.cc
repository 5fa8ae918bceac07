#include <array>

#include "mpc/lattice/residue_loops.h"

namespace tacit::mpc::lattice {

namespace {

void forward(std::uint64_t* words, std::int64_t length, const Roots& roots, std::uint64_t p) {
  const std::uint64_t twice = 2 * p;
  for (std::int64_t half = copy_short_polynomial(words, length, 1); half > 0; half /= 2) {
    const std::int64_t blocks = kDegree / (2 * half);
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Factor root = roots[blocks + block];
      std::uint64_t* const low = words + block * 2 * half;
      std::uint64_t* const high = low + half;
      for (std::int64_t i = 0; i < half; ++i) {
        const std::uint64_t x = less(low[i], twice), y = root.times(high[i], p);
        low[i] = x + y;
        high[i] = x + twice - y;
      }
    }
  }
}

void backward(std::uint64_t* words, const Roots& inverse_roots, const Factor& scale, std::uint64_t p) {
  const std::uint64_t twice = 2 * p;
  for (std::int64_t half = 1, blocks = kDegree / 2; blocks > 0; half *= 2, blocks /= 2) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Factor root = inverse_roots[blocks + block];
      std::uint64_t* const low = words + block * 2 * half;
      std::uint64_t* const high = low + half;
      for (std::int64_t i = 0; i < half; ++i) {
        const std::uint64_t x = low[i], y = high[i];
        low[i] = less(x + y, twice);
        high[i] = root.times(x + twice - y, p);
      }
    }
  }
  for (std::int64_t i = 0; i < kDegree; ++i) words[i] = less(scale.times(words[i], p), p);
}

template <std::size_t kCount>
void add_products(std::span<const LimbProduct> products, const SumWords& a, const SumWords& b) {
  std::array<LimbProduct, kCount> each;
  std::copy_n(products.begin(), kCount, each.begin());
  for (std::int64_t i = 0; i < kDegree; ++i) {
    Wide sum_a = static_cast<Wide>(a.high[i]) << 64 | a.low[i], sum_b = static_cast<Wide>(b.high[i]) << 64 | b.low[i];
    for (const LimbProduct& one : each) {
      sum_a += product(one.a[i], one.multiplier[i]);
      sum_b += product(one.b[i], one.multiplier[i]);
    }
    a.low[i] = static_cast<std::uint64_t>(sum_a);
    a.high[i] = high_word(sum_a);
    b.low[i] = static_cast<std::uint64_t>(sum_b);
    b.high[i] = high_word(sum_b);
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

const ResidueLoops& portable_residue_loops() {
  static constexpr ResidueLoops kLoops{64, forward, backward, multiply_add};
  return kLoops;
}

}  // namespace tacit::mpc::lattice
