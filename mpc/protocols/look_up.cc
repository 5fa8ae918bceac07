#include "mpc/protocols/look_up.h"

#include <algorithm>

#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 256;

// Of the table, and of the table times each factor.
template <typename Factors>
std::vector<int> widths(int ring_bits, const Factors& factors) {
  std::vector<int> all{ring_bits};
  for (const Spec& y : factors) all.push_back(std::min(ring_bits, y.format.ring_bits));
  return all;
}

std::vector<Spec> specs(std::span<const Masked> factors) { return {factors.begin(), factors.end()}; }

Shape dealt_shape(Shape x, const CellTable& table) { return {x.size(), table.cells() * table.terms()}; }

Format format_of(int width, const CellTable& table, int more_fraction_bits) {
  return {width, table.fraction_bits() + more_fraction_bits};
}

std::uint64_t element(const RingView& view, std::int64_t i) {
  return view.at(i / view.shape.cols, i % view.shape.cols);
}

std::uint64_t sum_of(std::span<const std::uint64_t> weights, const std::uint64_t* entries) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * entries[k];
  return sum;
}

}  // namespace

Cost look_up_cost(const Spec& x, const CellTable& table, int ring_bits, std::span<const Spec> factors,
                  const CostSetting&) {
  std::vector<net::WordShape> dealt;
  for (const int width : widths(ring_bits, factors)) dealt.push_back(word_shape(dealt_shape(x.shape, table), width));
  return dealing_cost(dealt);
}

std::vector<Share> look_up(Party& party, const Masked& x, const CellTable& table, int ring_bits,
                           std::span<const Masked> factors) {
  const Shape shape = x.shape();
  const std::vector<int> all_widths = widths(ring_bits, specs(factors));
  std::vector<RingView> masks{Inside::mask(x)}, deltas;
  for (const Masked& y : factors) {
    masks.push_back(Inside::mask(y));
    deltas.push_back(Inside::revealed(y));
  }
  const std::vector<RingTensor> dealt =
      party.correlations().dealt({Correlation::kLookUp, dealt_shape(shape, table), all_widths, masks});
  std::vector<RingTensor> out;
  for (const int width : all_widths) out.emplace_back(shape, width);
  const RingView delta = Inside::revealed(x);
  const auto terms = static_cast<std::size_t>(table.terms());
  const std::int64_t row = table.cells() * table.terms();
  party.workers().for_ranges(shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint64_t> weights(terms);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t opened = element(delta, i) & low_bits(x.ring_bits());
      table.weights(opened, weights);
      const std::int64_t at = i * row + table.cell_of(opened) * table.terms();
      const std::uint64_t value = sum_of(weights, dealt[0].data() + at);
      out[0].data()[i] = value & low_bits(ring_bits);
      for (std::size_t f = 0; f < deltas.size(); ++f) {
        const std::uint64_t product = element(deltas[f], i) * value - sum_of(weights, dealt[f + 1].data() + at);
        out[f + 1].data()[i] = product & low_bits(all_widths[f + 1]);
      }
    }
  });
  std::vector<Share> shares;
  for (std::size_t f = 0; f < out.size(); ++f) {
    const int more = f == 0 ? 0 : factors[f - 1].fraction_bits();
    shares.push_back(Inside::share(shape, format_of(all_widths[f], table, more), std::move(out[f])));
  }
  return shares;
}

std::vector<Share> look_up(Dealer& dealer, const Masked& x, const CellTable& table, int ring_bits,
                           std::span<const Masked> factors) {
  const Shape shape = x.shape();
  const std::vector<int> all_widths = widths(ring_bits, specs(factors));
  std::vector<RingTensor> dealt;
  for (const int width : all_widths) dealt.emplace_back(dealt_shape(shape, table), width);
  const RingView lambda = Inside::mask(x);
  std::vector<RingView> masks;
  for (const Masked& y : factors) masks.push_back(Inside::mask(y));
  const std::int64_t row = table.cells() * table.terms();
  dealer.workers().for_ranges(shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint64_t> entries(static_cast<std::size_t>(row));
    for (std::int64_t i = begin; i < end; ++i) {
      table.entries(element(lambda, i) & low_bits(x.ring_bits()), entries);
      for (std::size_t f = 0; f < dealt.size(); ++f) {
        const std::uint64_t times = f == 0 ? 1 : element(masks[f - 1], i);
        std::uint64_t* to = dealt[f].data() + i * row;
        for (std::size_t e = 0; e < entries.size(); ++e) to[e] = (times * entries[e]) & low_bits(all_widths[f]);
      }
    }
  });
  dealer.deal(Correlation::kLookUp, std::move(dealt));
  std::vector<Share> shares;
  for (std::size_t f = 0; f < all_widths.size(); ++f) {
    const int more = f == 0 ? 0 : factors[f - 1].fraction_bits();
    shares.push_back(Inside::nothing(shape, format_of(all_widths[f], table, more)));
  }
  return shares;
}

std::vector<Share> look_up(Clear& clear, const Masked& x, const CellTable& table, int ring_bits,
                           std::span<const Masked> factors) {
  const Shape shape = x.shape();
  const std::vector<int> all_widths = widths(ring_bits, specs(factors));
  const RingTensor lambda = clear.dither(shape, x.ring_bits());
  const RingView value = Inside::revealed(x);
  std::vector<RingTensor> out;
  for (const int width : all_widths) out.emplace_back(shape, width);
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(table.terms())), entries(weights.size());
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t delta = (element(value, i) + lambda.data()[i]) & low_bits(x.ring_bits());
    table.weights(delta, weights);
    table.entries_at(lambda.data()[i], table.cell_of(delta), entries);
    const std::uint64_t looked_up = sum_of(weights, entries.data());
    for (std::size_t f = 0; f < out.size(); ++f) {
      const std::uint64_t times = f == 0 ? 1 : element(Inside::revealed(factors[f - 1]), i);
      out[f].data()[i] = (times * looked_up) & low_bits(all_widths[f]);
    }
  }
  std::vector<Share> shares;
  for (std::size_t f = 0; f < out.size(); ++f) {
    const int more = f == 0 ? 0 : factors[f - 1].fraction_bits();
    shares.push_back(Inside::share(shape, format_of(all_widths[f], table, more), std::move(out[f])));
  }
  return shares;
}

}  // namespace tacit::mpc
