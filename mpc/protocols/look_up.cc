#include "mpc/protocols/look_up.h"

#include <algorithm>

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kLookUpGrain = 256;

// Ring bits of the table, and of its product with each factor.
std::vector<int> widths(int ring_bits, std::span<const Masked> factors) {
  std::vector<int> all{ring_bits};
  for (const Masked& y : factors) all.push_back(std::min(ring_bits, y.ring_bits()));
  return all;
}

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

class LookUp final : public OperationOf<std::vector<Share>> {
 public:
  LookUp(const Masked& x, const CellTable& table, int ring_bits, std::span<const Masked> factors)
      : x_(x), table_(table), ring_bits_(ring_bits), factors_(factors) {}
  std::string_view name() const override { return "look up"; }
  Cost cost(const CostSetting& setting) const override;
  std::vector<Share> at(Party& party) override;
  std::vector<Share> at(Dealer& dealer) override;
  std::vector<Share> at(Clear& clear) override;
  std::vector<Share> at(Planner& planner) override;

 private:
  LookUpRequest public_request() const;  // without contents
  LookUpRequest request() const;         // with this rank's masks

  const Masked& x_;
  const CellTable& table_;
  const int ring_bits_;
  std::span<const Masked> factors_;
};

LookUpRequest LookUp::public_request() const {
  LookUpRequest made{without_contents(x_.shape()), &table_, table_.cells() * table_.terms(), ring_bits_, {}, {}};
  for (const Masked& y : factors_) {
    made.factors.push_back(without_contents(y.shape()));
    made.factor_bits.push_back(std::min(ring_bits_, y.ring_bits()));
  }
  return made;
}

LookUpRequest LookUp::request() const {
  LookUpRequest made = public_request();
  made.lambda = Inside::mask(x_);
  for (std::size_t f = 0; f < factors_.size(); ++f) made.factors[f] = Inside::mask(factors_[f]);
  return made;
}

Cost LookUp::cost(const CostSetting& setting) const { return correlation_cost(public_request(), setting); }

std::vector<Share> LookUp::at(Party& party) {
  const Shape shape = x_.shape();
  const std::vector<int> all_widths = widths(ring_bits_, factors_);
  std::vector<RingView> deltas;
  for (const Masked& y : factors_) deltas.push_back(Inside::revealed(y));
  const std::vector<RingTensor> dealt = party.correlations().words(request());
  std::vector<RingTensor> out;
  for (const int width : all_widths) out.emplace_back(shape, width);
  const RingView delta = Inside::revealed(x_);
  const auto terms = static_cast<std::size_t>(table_.terms());
  const std::int64_t row = table_.cells() * table_.terms();
  party.workers().for_ranges(shape.size(), kLookUpGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint64_t> weights(terms);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t opened = element(delta, i) & low_bits(x_.ring_bits());
      table_.weights(opened, weights);
      const std::int64_t at = i * row + table_.cell_of(opened) * table_.terms();
      const std::uint64_t value = sum_of(weights, dealt[0].data() + at);
      out[0].data()[i] = value & low_bits(ring_bits_);
      for (std::size_t f = 0; f < deltas.size(); ++f) {
        const std::uint64_t product = element(deltas[f], i) * value - sum_of(weights, dealt[f + 1].data() + at);
        out[f + 1].data()[i] = product & low_bits(all_widths[f + 1]);
      }
    }
  });
  std::vector<Share> shares;
  for (std::size_t f = 0; f < out.size(); ++f) {
    const int more = f == 0 ? 0 : factors_[f - 1].fraction_bits();
    shares.push_back(Inside::share(shape, format_of(all_widths[f], table_, more), std::move(out[f])));
  }
  return shares;
}

std::vector<Share> LookUp::at(Dealer& dealer) {
  dealer.deal(request());
  const std::vector<int> all_widths = widths(ring_bits_, factors_);
  std::vector<Share> shares;
  for (std::size_t f = 0; f < all_widths.size(); ++f) {
    const int more = f == 0 ? 0 : factors_[f - 1].fraction_bits();
    shares.push_back(Inside::nothing(x_.shape(), format_of(all_widths[f], table_, more)));
  }
  return shares;
}

std::vector<Share> LookUp::at(Clear& clear) {
  const Shape shape = x_.shape();
  const std::vector<int> all_widths = widths(ring_bits_, factors_);
  const RingTensor lambda = clear.dither(shape, x_.ring_bits());
  const RingView value = Inside::revealed(x_);
  std::vector<RingTensor> out;
  for (const int width : all_widths) out.emplace_back(shape, width);
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(table_.terms())), entries(weights.size());
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t delta = (element(value, i) + lambda.data()[i]) & low_bits(x_.ring_bits());
    table_.weights(delta, weights);
    table_.entries_at(lambda.data()[i], table_.cell_of(delta), entries);
    const std::uint64_t looked_up = sum_of(weights, entries.data());
    for (std::size_t f = 0; f < out.size(); ++f) {
      const std::uint64_t times = f == 0 ? 1 : element(Inside::revealed(factors_[f - 1]), i);
      out[f].data()[i] = (times * looked_up) & low_bits(all_widths[f]);
    }
  }
  std::vector<Share> shares;
  for (std::size_t f = 0; f < out.size(); ++f) {
    const int more = f == 0 ? 0 : factors_[f - 1].fraction_bits();
    shares.push_back(Inside::share(shape, format_of(all_widths[f], table_, more), std::move(out[f])));
  }
  return shares;
}

std::vector<Share> LookUp::at(Planner& planner) {
  std::vector<Share> shares{planner.made(x_.shape(), {ring_bits_, table_.fraction_bits()})};
  for (const Masked& y : factors_) {
    shares.push_back(
        planner.made(x_.shape(), {std::min(ring_bits_, y.ring_bits()), table_.fraction_bits() + y.fraction_bits()}));
  }
  return shares;
}

}  // namespace

std::vector<Share> look_up(Session& session, const Masked& x, const CellTable& table, int ring_bits,
                           std::span<const Masked> factors) {
  TACIT_CHECK(x.format() == table.domain() && ring_bits >= 1 && ring_bits <= kWordBits);
  for (const Masked& y : factors) TACIT_CHECK(y.shape() == x.shape());
  return session.run(LookUp(x, table, ring_bits, factors));
}

}  // namespace tacit::mpc
