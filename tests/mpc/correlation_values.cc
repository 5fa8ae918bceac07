#include "tests/mpc/correlation_values.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

namespace {

void add(RingView view, Plain& sum) {
  sum.resize(static_cast<std::size_t>(view.shape.size()));
  for (std::int64_t i = 0; i < view.shape.size(); ++i) {
    sum[static_cast<std::size_t>(i)] += view.at(i / view.shape.cols, i % view.shape.cols);
  }
}

void flip(const BitTensor& bits, PlainBits& sum) {
  sum.resize(static_cast<std::size_t>(bits.size()));
  for (std::int64_t i = 0; i < bits.size(); ++i) sum[static_cast<std::size_t>(i)] ^= std::uint64_t{bits.at(i)};
}

template <typename Request>
Plain total(const std::vector<const Request*>& all, RingView Request::*mask) {
  Plain sum;
  for (const Request* one : all) add(one->*mask, sum);
  return sum;
}

template <typename Request>
PlainBits total(const std::vector<const Request*>& all, const BitTensor* Request::*mask) {
  PlainBits sum;
  for (const Request* one : all) flip(*(one->*mask), sum);
  return sum;
}

}  // namespace

std::vector<Plain> values(const std::vector<const ProductRequest*>& all) {
  Plain x = total(all, &ProductRequest::x);
  const Plain y = total(all, &ProductRequest::y);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= y[i];
  return {x};
}

std::vector<Plain> values(const std::vector<const RowProductRequest*>& all) {
  const Plain x = total(all, &RowProductRequest::x), y = total(all, &RowProductRequest::y);
  const Shape shape = all.front()->x.shape;
  Plain sums(static_cast<std::size_t>(shape.rows));
  for (std::size_t i = 0; i < x.size(); ++i) sums[i / static_cast<std::size_t>(shape.cols)] += x[i] * y[i];
  return {sums};
}

std::vector<Plain> values(const std::vector<const MatrixProductRequest*>& all) {
  const Plain x = total(all, &MatrixProductRequest::x), y = total(all, &MatrixProductRequest::y);
  const Shape shape = all.front()->shape();
  const std::int64_t inner = all.front()->x.shape.cols;
  Plain product(static_cast<std::size_t>(shape.size()));
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    for (std::int64_t j = 0; j < inner; ++j) {
      product[static_cast<std::size_t>(i)] += x[static_cast<std::size_t>(i / shape.cols * inner + j)] *
                                              y[static_cast<std::size_t>(j * shape.cols + i % shape.cols)];
    }
  }
  return {product};
}

namespace {

// r >> k and bit k-1 of r.
std::vector<Plain> wrap_terms(const Plain& r, int k) {
  std::vector<Plain> terms(2, r);
  for (std::uint64_t& word : terms[0]) word = k == kWordBits ? 0 : word >> k;
  for (std::uint64_t& word : terms[1]) word = (word >> (k - 1)) & 1;
  return terms;
}

}  // namespace

std::vector<Plain> values(const std::vector<const WrapRequest*>& all) {
  return wrap_terms(total(all, &WrapRequest::r), all.front()->k);
}

std::vector<Plain> values(const std::vector<const LiftedProductRequest*>& all) {
  const LiftedProductRequest& one = *all.front();
  Plain x = total(all, &LiftedProductRequest::x), y = total(all, &LiftedProductRequest::y);
  std::vector<Plain> made = wrap_terms(x, one.k);
  for (Plain& term : wrap_terms(y, one.l)) made.push_back(std::move(term));
  for (std::uint64_t& word : x) word &= low_bits(one.k);
  for (std::uint64_t& word : y) word &= low_bits(one.l);
  const auto times = [](Plain a, const Plain& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
    return a;
  };
  const Plain sigma_x = made[1], sigma_y = made[3];
  made.push_back(times(x, y));
  made.push_back(times(x, sigma_y));
  made.push_back(times(sigma_x, y));
  if (one.has_both()) made.push_back(times(sigma_x, sigma_y));
  if (!one.with_wrap_of_x) made.erase(made.begin(), made.begin() + 2);
  return made;
}

std::vector<Plain> values(const std::vector<const LiftedMultipleRequest*>& all) {
  const LiftedMultipleRequest& one = *all.front();
  Plain r = total(all, &LiftedMultipleRequest::r);
  const Plain sigma = wrap_terms(r, one.k)[1];
  for (std::uint64_t& word : r) {
    // floor(v + 1/2) of v = p / 2^shift: half the floor of 2v + 1, since 2v + 1 = (2p + 2^shift) / 2^shift.
    __extension__ using Wide = __int128;
    const Wide doubled = 2 * static_cast<Wide>(word & low_bits(one.k)) * one.mantissa + (Wide{1} << one.shift);
    word = static_cast<std::uint64_t>(doubled >> (one.shift + 1));
  }
  return {r, sigma};
}

std::vector<Plain> values(const std::vector<const MaskProductsRequest*>& all) {
  const MaskProductsRequest& one = *all.front();
  std::vector<Plain> masks(one.r.size());
  for (const MaskProductsRequest* party : all) {
    for (std::size_t v = 0; v < masks.size(); ++v) add(party->r[v], masks[v]);
  }
  std::vector<Plain> made;
  for (const MaskProduct& product : one.products) {
    if (one.dealt_bits(product) <= 0) continue;
    Plain& words = made.emplace_back(static_cast<std::size_t>(one.of.size()), 1);
    for (const MaskFactor& factor : product.factors) {
      const auto v = static_cast<std::size_t>(factor.of);
      for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint64_t r = masks[v][i], rho = r & low_bits(one.k[v]);
        if (product.is_mask()) words[i] = r >> one.k[v];
        for (int power = 0; power < factor.power && !product.is_mask(); ++power) words[i] *= rho;
        if (factor.sigma) words[i] *= rho >> (one.k[v] - 1);
      }
    }
  }
  return made;
}

std::vector<Plain> values(const std::vector<const WideningRequest*>& all) { return {total(all, &WideningRequest::mu)}; }

namespace {

Plain times(Plain words, const PlainBits& bits) {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] *= bits[i];
  return words;
}

}  // namespace

std::vector<Plain> values(const std::vector<const SelectionRequest*>& all) {
  const SelectionRequest& one = *all.front();
  const PlainBits mu = total(all, &SelectionRequest::mu);
  const Plain r = total(all, &SelectionRequest::r);
  std::vector<Plain> made{times(r, mu)};
  if (one.with_mu) made.push_back(mu);
  if (one.bits <= one.k) return made;
  const std::vector<Plain> terms = wrap_terms(r, one.k);
  made.insert(made.end(), terms.begin(), terms.end());
  for (const Plain& term : terms) made.push_back(times(term, mu));
  return made;
}

std::vector<Plain> values(const std::vector<const LookUpRequest*>& all) {
  const LookUpRequest& one = *all.front();
  const Plain lambda = total(all, &LookUpRequest::lambda);
  std::vector<Plain> made(1);
  Plain entries(static_cast<std::size_t>(one.entries));
  for (const std::uint64_t word : lambda) {
    one.table->entries(word & low_bits(one.table->domain().ring_bits), entries);
    made[0].insert(made[0].end(), entries.begin(), entries.end());
  }
  for (std::size_t f = 0; f < one.factors.size(); ++f) {
    Plain y;
    for (const LookUpRequest* party : all) add(party->factors[f], y);
    Plain product = made[0];
    for (std::size_t e = 0; e < product.size(); ++e) product[e] *= y[e / entries.size()];
    made.push_back(std::move(product));
  }
  return made;
}

// Rounded draws of the continuous distribution.
std::vector<Plain> values(const std::vector<const NoiseRequest*>& all) {
  static std::mt19937_64 random(5);
  std::normal_distribution<double> gaussian(0, static_cast<double>(all.front()->sigma));
  Plain noise(static_cast<std::size_t>(all.front()->of.size()));
  for (std::uint64_t& word : noise) word = static_cast<std::uint64_t>(std::llround(gaussian(random)));
  return {noise};
}

std::vector<Plain> values(const std::vector<const RouteRequest*>& all) {
  const RouteRequest& one = *all.front();
  const Plain lambda = total(all, &RouteRequest::lambda);
  const Permutation* order = all[static_cast<std::size_t>(one.owner)]->order;
  const auto cols = static_cast<std::size_t>(one.lambda.shape.cols), outputs = static_cast<std::size_t>(one.outputs);
  Plain rows(outputs * cols);
  for (std::size_t row = 0; row < order->size(); ++row) {
    const auto place = static_cast<std::size_t>((*order)[row]);
    for (std::size_t col = 0; col < cols && place < outputs; ++col) rows[place * cols + col] = lambda[row * cols + col];
  }
  if (!one.with_kappa) return {rows};
  const Plain kappa = total(all, &RouteRequest::kappa);
  Plain multiples = rows;
  for (std::size_t i = 0; i < multiples.size(); ++i) multiples[i] *= kappa[i / cols];
  return {rows, multiples};
}

namespace {

// True if column `a` wins, given the comparison bits of the pairs of `a` with the other columns in
// order.
bool wins(std::int64_t a, std::int64_t columns, std::uint64_t pattern) {
  std::int64_t position = columns - 2;  // the highest bit is the first other column
  for (std::int64_t b = 0; b < columns; ++b) {
    if (b == a) continue;
    const bool set = ((pattern >> position--) & 1) != 0;
    if (set != (a < b)) return false;
  }
  return true;
}

}  // namespace

std::vector<Plain> values(const std::vector<const WinnerRequest*>& all) {
  const WinnerRequest& one = *all.front();
  const std::int64_t columns = one.y.shape.cols, pairs = columns * (columns - 1) / 2;
  const PlainBits mu = total(all, &WinnerRequest::pairs);
  const Plain y = total(all, &WinnerRequest::y);
  std::vector<Plain> made(2);
  for (std::int64_t i = 0; i < one.y.shape.size(); ++i) {
    const std::int64_t row = i / columns, a = i % columns;
    std::uint64_t mask = 0;
    for (std::int64_t b = 0; b < columns; ++b) {
      if (b == a) continue;
      std::int64_t pair = 0;  // pairs (0,1), (0,2), …, (1,2), …
      for (std::int64_t first = 0; first < std::min(a, b); ++first) pair += columns - 1 - first;
      pair += std::max(a, b) - std::min(a, b) - 1;
      mask = 2 * mask + mu[static_cast<std::size_t>(row * pairs + pair)];
    }
    for (std::uint64_t delta = 0; delta < std::uint64_t{1} << (columns - 1); ++delta) {
      const std::uint64_t won = wins(a, columns, delta ^ mask) ? 1 : 0;
      made[0].push_back(won);
      made[1].push_back(won * y[static_cast<std::size_t>(i)]);
    }
  }
  return made;
}

namespace {

// The product of the bits in a subset.
PlainBits product_of(const std::vector<PlainBits>& bits, std::uint64_t subset, PlainBits product) {
  for (std::size_t b = 0; b < bits.size(); ++b) {
    if (((subset >> b) & 1) != 0) product = times(std::move(product), bits[b]);
  }
  return product;
}

}  // namespace

std::vector<PlainBits> values(const std::vector<const GroupProductsRequest*>& all) {
  const GroupProductsRequest& one = *all.front();
  const Plain r = total(all, &GroupProductsRequest::r);
  const auto plane = [&](int bit) {
    PlainBits bits = r;
    for (std::uint64_t& word : bits) word = (word >> bit) & 1;
    return bits;
  };
  std::vector<PlainBits> made;
  int low = one.low;
  for (const int size : one.groups) {
    std::vector<PlainBits> bits;
    for (int b = 0; b < size; ++b) bits.push_back(plane(low + b));
    for (std::uint64_t subset = 1; subset < std::uint64_t{1} << size; ++subset) {
      made.push_back(product_of(bits, subset, PlainBits(r.size(), 1)));
    }
    low += size;
  }
  made.push_back(plane(one.hi - 1));
  return made;
}

std::vector<PlainBits> values(const std::vector<const CarryProductsRequest*>& all) {
  const std::size_t groups = all.front()->generate.size();
  std::vector<PlainBits> g(groups), p(groups - 1);
  for (const CarryProductsRequest* one : all) {
    for (std::size_t k = 0; k < groups; ++k) flip(one->generate[k], g[k]);
    for (std::size_t k = 0; k + 1 < groups; ++k) flip(one->propagate[k], p[k]);
  }
  std::vector<PlainBits> made;
  const PlainBits ones(g.front().size(), 1);
  for (std::uint64_t subset = 1; subset < std::uint64_t{1} << p.size(); ++subset) {
    made.push_back(product_of(p, subset, ones));
  }
  for (std::size_t k = 0; k < groups; ++k) {
    const std::vector<PlainBits> above(p.begin() + static_cast<std::ptrdiff_t>(k), p.end());
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << above.size(); ++subset) {
      made.push_back(product_of(above, subset, g[k]));
    }
  }
  return made;
}

}  // namespace tacit::mpc
