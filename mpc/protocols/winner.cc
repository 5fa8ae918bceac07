#include "mpc/protocols/winner.h"

#include <algorithm>

#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/winner_pattern.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kWinnerGrain = 256;

std::vector<int> widths(const Masked& y, int ring_bits) { return {ring_bits, std::min(ring_bits, y.ring_bits())}; }

RingTensor plain(const RingView& y, int bits) {
  RingTensor out(y.shape, bits);
  for (std::int64_t i = 0; i < out.size(); ++i) {
    out.data()[i] = y.at(i / y.shape.cols, i % y.shape.cols) & low_bits(bits);
  }
  return out;
}

class OneHotArgmax final : public OperationOf<Winner> {
 public:
  OneHotArgmax(const Bits& pairs, const Masked& y, int ring_bits) : pairs_(pairs), y_(y), ring_bits_(ring_bits) {}
  std::string_view name() const override { return "winner"; }
  Cost cost(const CostSetting& setting) const override;
  Winner at(Party& party) override;
  Winner at(Dealer& dealer) override;
  Winner at(Clear&) override;
  Winner at(Planner& planner) override;

 private:
  WinnerRequest request(const BitTensor& pairs, RingView y) const {
    const std::vector<int> both = widths(y_, ring_bits_);
    return {&pairs, y, both[0], both[1]};
  }

  const Bits& pairs_;
  const Masked& y_;
  const int ring_bits_;
};

Cost OneHotArgmax::cost(const CostSetting& setting) const {
  const BitTensor pairs(pairs_.shape());
  return correlation_cost(request(pairs, without_contents(y_.shape())), setting);
}

Winner OneHotArgmax::at(Party& party) {
  const Shape shape = y_.shape();
  const std::vector<int> both = widths(y_, ring_bits_);
  const std::vector<RingTensor> dealt = party.correlations().words(request(Inside::mask(pairs_), Inside::mask(y_)));
  const RingTensor delta = plain(Inside::revealed(y_), both[1]);
  RingTensor which(shape, both[0]), times(shape, both[1]);
  party.workers().for_ranges(shape.size(), kWinnerGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t pattern = pattern_of(Inside::revealed(pairs_), i / shape.cols, i % shape.cols, shape.cols);
      const std::int64_t at = i * patterns_of(shape.cols) + pattern;
      which.data()[i] = dealt[0].data()[at];
      times.data()[i] = (delta.data()[i] * dealt[0].data()[at] - dealt[1].data()[at]) & low_bits(both[1]);
    }
  });
  return {Inside::share(shape, {both[0], 0}, std::move(which)),
          Inside::share(shape, {both[1], y_.fraction_bits()}, std::move(times))};
}

Winner OneHotArgmax::at(Dealer& dealer) {
  const std::vector<int> both = widths(y_, ring_bits_);
  dealer.deal(request(Inside::mask(pairs_), Inside::mask(y_)));
  return {Inside::nothing(y_.shape(), {both[0], 0}), Inside::nothing(y_.shape(), {both[1], y_.fraction_bits()})};
}

Winner OneHotArgmax::at(Clear&) {
  const Shape shape = y_.shape();
  const std::vector<int> both = widths(y_, ring_bits_);
  RingTensor which(shape, both[0]), times = plain(Inside::revealed(y_), both[1]);
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    const std::int64_t column = i % shape.cols;
    const std::int64_t bits = pattern_of(Inside::revealed(pairs_), i / shape.cols, column, shape.cols);
    const bool won = bits == winning_pattern(column, shape.cols);
    which.data()[i] = won ? 1 : 0;
    if (!won) times.data()[i] = 0;
  }
  return {Inside::share(shape, {both[0], 0}, std::move(which)),
          Inside::share(shape, {both[1], y_.fraction_bits()}, std::move(times))};
}

Winner OneHotArgmax::at(Planner& planner) {
  const std::vector<int> both = widths(y_, ring_bits_);
  const Share which = planner.made(y_.shape(), {both[0], 0});
  return {which, planner.made(y_.shape(), {both[1], y_.fraction_bits()})};
}

}  // namespace

Winner winner(Session& session, const Bits& pairs, const Masked& y, int ring_bits) {
  const std::int64_t columns = y.shape().cols;
  TACIT_CHECK(columns >= 2 && columns <= kMostColumnsAtOnce && ring_bits >= 1 && ring_bits <= kWordBits);
  TACIT_CHECK(pairs.shape() == (Shape{y.shape().rows, pairs_of(columns)}));
  return session.run(OneHotArgmax(pairs, y, ring_bits));
}

}  // namespace tacit::mpc
