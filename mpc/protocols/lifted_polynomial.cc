#include "mpc/protocols/lifted_polynomial.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kLiftedPolynomialGrain = 4096;
constexpr std::int64_t kBlock = 512;  // elements of a temporary
constexpr int kMostFactors = 3;

constexpr int kNoProduct = -1;

// coefficient · powers of C · n's · a product of masks, in one of the polynomials.
struct Part {
  std::size_t polynomial = 0;
  std::uint64_t coefficient = 1;  // with its power of 2
  std::vector<int> publics;       // values: C of each is a factor, once for each entry
  std::vector<int> wraps;         // values: n of each is a factor
  std::vector<MaskFactor> masks;
  int product = kNoProduct;  // the index of the masks' product
};

// The public side of a call: all parts, and the products of masks that they need.
struct Expansion {
  std::vector<Part> parts;
  std::vector<MaskProduct> products;
};

std::uint64_t shifted_word(std::uint64_t word, int bits) { return bits >= kWordBits ? 0 : word << bits; }

// x^exponent, expanded: multiplies each part by each of the terms.
std::vector<Part> times_power(const std::vector<Part>& parts, int value, int k, int exponent) {
  constexpr std::array<std::uint64_t, kMostFactors + 1> kFactorial{1, 1, 2, 6};
  const auto factorial = [&](int n) { return kFactorial[static_cast<std::size_t>(n)]; };
  std::vector<Part> all;
  for (const Part& part : parts) {
    for (int rhos = 0; rhos <= exponent; ++rhos) {
      for (int sigmas = 0; rhos + sigmas <= exponent; ++sigmas) {
        const int publics = exponent - rhos - sigmas;
        const std::uint64_t ways = factorial(exponent) / (factorial(rhos) * factorial(sigmas) * factorial(publics));
        Part& made = all.emplace_back(part);
        made.coefficient = shifted_word(made.coefficient * ways, k * sigmas);
        if (rhos % 2 == 1) made.coefficient = std::uint64_t{0} - made.coefficient;
        made.publics.insert(made.publics.end(), static_cast<std::size_t>(publics), value);
        if (sigmas > 0) made.wraps.push_back(value);
        if (rhos + sigmas > 0) made.masks.push_back({value, rhos, sigmas > 0});
      }
    }
  }
  return all;
}

Expansion expanded(std::span<const Shown> values, std::span<const Polynomial> polynomials) {
  Expansion all;
  std::map<std::vector<MaskFactor>, int> widths;
  for (std::size_t p = 0; p < polynomials.size(); ++p) {
    const int ring = polynomials[p].format.ring_bits;
    for (const Monomial& term : polynomials[p].terms) {
      std::vector<Part> parts(1);
      parts[0].polynomial = p;
      parts[0].coefficient = static_cast<std::uint64_t>(term.coefficient);
      for (int value = 0; value < std::ssize(values); ++value) {
        const auto exponent = std::count(term.factors.begin(), term.factors.end(), value);
        if (exponent == 0) continue;
        parts =
            times_power(parts, value, values[static_cast<std::size_t>(value)].ring_bits(), static_cast<int>(exponent));
      }
      for (Part& part : parts) {
        const int width = ring - std::countr_zero(part.coefficient);
        if (width <= 0) continue;
        if (!part.masks.empty()) widths[part.masks] = std::max(widths[part.masks], width);
        all.parts.push_back(std::move(part));
      }
    }
  }
  std::map<std::vector<MaskFactor>, int> index;
  for (auto& [masks, width] : widths) {
    index[masks] = static_cast<int>(all.products.size());
    all.products.push_back({masks, width});
  }
  for (Part& part : all.parts) {
    if (!part.masks.empty()) part.product = index[part.masks];
  }
  return all;
}

class LiftedPolynomials final : public OperationOf<std::vector<Share>> {
 public:
  LiftedPolynomials(std::span<const Shown> values, std::span<const Polynomial> polynomials)
      : values_(values), polynomials_(polynomials), expansion_(expanded(values, polynomials)) {}
  std::string_view name() const override { return "lifted polynomial"; }
  Cost cost(const CostSetting& setting) const override;
  std::vector<Share> at(Party& party) override;
  std::vector<Share> at(Dealer& dealer) override;
  std::vector<Share> at(Clear& clear) override;
  std::vector<Share> at(Planner& planner) override;

 private:
  Shape shape() const { return values_.front().shape(); }
  MaskProductsRequest public_request() const;  // without masks
  MaskProductsRequest request() const;         // with this rank's masks
  std::vector<Share> made(std::vector<RingTensor> results) const;

  const std::span<const Shown> values_;
  const std::span<const Polynomial> polynomials_;
  const Expansion expansion_;
};

MaskProductsRequest LiftedPolynomials::public_request() const {
  MaskProductsRequest of{{}, {}, shape(), expansion_.products};
  for (const Shown& value : values_) of.k.push_back(value.ring_bits());
  return of;
}

MaskProductsRequest LiftedPolynomials::request() const {
  MaskProductsRequest of = public_request();
  for (const Shown& value : values_) of.r.push_back(Inside::mask(value).view());
  return of;
}

std::vector<Share> LiftedPolynomials::made(std::vector<RingTensor> results) const {
  std::vector<Share> shares;
  for (std::size_t p = 0; p < results.size(); ++p) {
    shares.push_back(Inside::share(shape(), polynomials_[p].format, std::move(results[p])));
  }
  return shares;
}

Cost LiftedPolynomials::cost(const CostSetting& setting) const {
  MaskProductsRequest of = public_request();
  if (of.widths().empty()) return {};
  of.r.assign(values_.size(), without_contents(shape()));
  return correlation_cost(of, setting);
}

// A party's sources: C and n are made of M; the products are dealt, and rho comes from its share of r.
struct Sources {
  std::vector<const std::uint64_t*> m, r;
  std::vector<int> k;
  std::vector<const std::uint64_t*> dealt;  // by product; null if nothing is dealt for it

  std::uint64_t known(int value, std::int64_t i) const {  // C
    const auto v = static_cast<std::size_t>(value);
    return m[v][i] - shown_offset(k[v]);
  }
  std::uint64_t keep(int value, std::int64_t i) const {  // n, all bits
    const auto v = static_cast<std::size_t>(value);
    return wraps(m[v][i], k[v]);
  }
};

// One part of the elements begin … begin + count - 1, added to `out`.
void add_part(const Part& part, std::span<const MaskProduct> products, const Sources& from, bool first,
              std::int64_t begin, std::int64_t count, std::uint64_t* out) {
  if (part.product == kNoProduct && !first) return;
  std::array<std::uint64_t, kBlock> words;
  std::fill_n(words.begin(), count, part.coefficient);
  for (const int value : part.publics) {
    for (std::int64_t i = 0; i < count; ++i) words[static_cast<std::size_t>(i)] *= from.known(value, begin + i);
  }
  for (const int value : part.wraps) {
    for (std::int64_t i = 0; i < count; ++i) words[static_cast<std::size_t>(i)] &= from.keep(value, begin + i);
  }
  if (part.product == kNoProduct) {
    for (std::int64_t i = 0; i < count; ++i) out[i] += words[static_cast<std::size_t>(i)];
    return;
  }
  const MaskProduct& product = products[static_cast<std::size_t>(part.product)];
  const std::uint64_t* dealt = from.dealt[static_cast<std::size_t>(part.product)];
  if (!product.is_mask()) {
    for (std::int64_t i = 0; i < count; ++i) out[i] += words[static_cast<std::size_t>(i)] * dealt[begin + i];
    return;
  }
  const auto value = static_cast<std::size_t>(product.factors.front().of);
  const std::uint64_t* r = from.r[value] + begin;
  if (dealt == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) out[i] += words[static_cast<std::size_t>(i)] * r[i];
    return;
  }
  const int k = from.k[value];
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] += words[static_cast<std::size_t>(i)] * (r[i] - (dealt[begin + i] << k));
  }
}

std::vector<Share> LiftedPolynomials::at(Party& party) {
  const MaskProductsRequest of = request();
  Sources from;
  for (const Shown& value : values_) {
    from.m.push_back(Inside::revealed(value).data());
    from.r.push_back(Inside::mask(value).data());
    from.k.push_back(value.ring_bits());
  }
  std::vector<RingTensor> dealt;
  if (!of.widths().empty()) dealt = party.correlations().words(of);
  auto next = dealt.begin();
  for (const MaskProduct& product : expansion_.products) {
    from.dealt.push_back(of.dealt_bits(product) > 0 ? (next++)->data() : nullptr);
  }
  std::vector<RingTensor> results;
  for (const Polynomial& polynomial : polynomials_) {
    results.push_back(RingTensor::zeros(shape(), polynomial.format.ring_bits));
  }
  const bool first = party.first();
  party.workers().for_ranges(shape().size(), kLiftedPolynomialGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; at += kBlock) {
      const std::int64_t count = std::min(kBlock, end - at);
      for (const Part& part : expansion_.parts) {
        add_part(part, expansion_.products, from, first, at, count, results[part.polynomial].data() + at);
      }
      for (RingTensor& result : results) {
        const std::uint64_t ring = low_bits(result.bits());
        for (std::int64_t i = at; i < at + count; ++i) result.data()[i] &= ring;
      }
    }
  });
  return made(std::move(results));
}

std::vector<Share> LiftedPolynomials::at(Dealer& dealer) {
  const MaskProductsRequest of = request();
  if (!of.widths().empty()) dealer.deal(of);
  std::vector<Share> results;
  for (const Polynomial& polynomial : polynomials_) results.push_back(Inside::nothing(shape(), polynomial.format));
  return results;
}

std::vector<Share> LiftedPolynomials::at(Clear&) {
  std::vector<RingTensor> results;
  for (const Polynomial& polynomial : polynomials_) {
    RingTensor& sum = results.emplace_back(RingTensor::zeros(shape(), polynomial.format.ring_bits));
    const std::uint64_t ring = low_bits(sum.bits());
    for (std::int64_t i = 0; i < sum.size(); ++i) {
      for (const Monomial& term : polynomial.terms) {
        auto word = static_cast<std::uint64_t>(term.coefficient);
        for (const int factor : term.factors) {
          const Shown& value = values_[static_cast<std::size_t>(factor)];
          const int k = value.ring_bits();
          word *= static_cast<std::uint64_t>(signed_value(Inside::revealed(value).data()[i] - shown_offset(k), k));
        }
        sum.data()[i] += word;
      }
      sum.data()[i] &= ring;
    }
  }
  return made(std::move(results));
}

std::vector<Share> LiftedPolynomials::at(Planner& planner) {
  std::vector<Share> results;
  for (const Polynomial& polynomial : polynomials_) results.push_back(planner.made(shape(), polynomial.format));
  return results;
}

}  // namespace

std::vector<Share> lifted_polynomials(Session& session, std::span<const Shown> values,
                                      std::span<const Polynomial> polynomials) {
  TACIT_CHECK(!values.empty());
  for (const Shown& value : values) TACIT_CHECK(value.shape() == values.front().shape());
  for (const Polynomial& polynomial : polynomials) {
    TACIT_CHECK(polynomial.format.ring_bits >= 1 && polynomial.format.ring_bits <= kWordBits);
    for (const Monomial& term : polynomial.terms) {
      TACIT_CHECK(std::ssize(term.factors) <= kMostFactors && term.coefficient != 0);
      for (const int factor : term.factors) TACIT_CHECK(factor >= 0 && factor < std::ssize(values));
    }
  }
  return session.run(LiftedPolynomials(values, polynomials));
}

}  // namespace tacit::mpc
