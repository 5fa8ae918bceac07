#include "mpc/protocols/winner.h"

#include <algorithm>

#include "mpc/protocols/pair_differences.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 256;

std::int64_t patterns(std::int64_t columns) { return std::int64_t{1} << (columns - 1); }

Shape dealt_shape(Shape y) { return {y.size(), patterns(y.cols)}; }

std::vector<int> widths(const Spec& y, int ring_bits) { return {ring_bits, std::min(ring_bits, y.format.ring_bits)}; }

// The bits of column a of a row against the others, in their order: the first is the highest.
std::int64_t pattern_of(const BitTensor& pairs, std::int64_t row, std::int64_t a, std::int64_t columns) {
  std::int64_t pattern = 0;
  for (std::int64_t b = 0; b < columns; ++b) {
    if (b == a) continue;
    const std::int64_t pair = pair_index(std::min(a, b), std::max(a, b), columns);
    pattern = 2 * pattern + (pairs.at(row * pairs_of(columns) + pair) ? 1 : 0);
  }
  return pattern;
}

// Of a column that wins: not set against the a columns before, set against those after.
std::int64_t winning(std::int64_t a, std::int64_t columns) { return patterns(columns - a) - 1; }

RingTensor plain(const RingView& y, int bits) {
  RingTensor out(y.shape, bits);
  for (std::int64_t i = 0; i < out.size(); ++i) {
    out.data()[i] = y.at(i / y.shape.cols, i % y.shape.cols) & low_bits(bits);
  }
  return out;
}

}  // namespace

Cost winner_cost(const Spec& y, int ring_bits, const CostSetting&) {
  std::vector<net::WordShape> dealt;
  for (const int width : widths(y, ring_bits)) dealt.push_back(word_shape(dealt_shape(y.shape), width));
  return dealing_cost(dealt);
}

Winner winner(Party& party, const Bits& pairs, const Masked& y, int ring_bits) {
  const Shape shape = y.shape();
  const std::vector<int> both = widths(y, ring_bits);
  const std::vector<RingTensor> dealt =
      party.correlations().dealt({Correlation::kWinner, dealt_shape(shape), both, {Inside::mask(y)}});
  const RingTensor delta = plain(Inside::revealed(y), both[1]);
  RingTensor which(shape, both[0]), times(shape, both[1]);
  party.workers().for_ranges(shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t pattern = pattern_of(Inside::revealed(pairs), i / shape.cols, i % shape.cols, shape.cols);
      const std::int64_t at = i * patterns(shape.cols) + pattern;
      which.data()[i] = dealt[0].data()[at];
      times.data()[i] = (delta.data()[i] * dealt[0].data()[at] - dealt[1].data()[at]) & low_bits(both[1]);
    }
  });
  return {Inside::share(shape, {both[0], 0}, std::move(which)),
          Inside::share(shape, {both[1], y.fraction_bits()}, std::move(times))};
}

Winner winner(Dealer& dealer, const Bits& pairs, const Masked& y, int ring_bits) {
  const Shape shape = y.shape();
  const std::vector<int> both = widths(y, ring_bits);
  const RingTensor lambda = plain(Inside::mask(y), both[1]);
  std::vector<RingTensor> dealt;
  for (const int width : both) dealt.push_back(RingTensor::zeros(dealt_shape(shape), width));
  dealer.workers().for_ranges(shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t column = i % shape.cols;
      const std::int64_t mus = pattern_of(Inside::mask(pairs), i / shape.cols, column, shape.cols);
      const std::int64_t at = i * patterns(shape.cols) + (winning(column, shape.cols) ^ mus);
      dealt[0].data()[at] = 1;
      dealt[1].data()[at] = lambda.data()[i];
    }
  });
  dealer.deal(Correlation::kWinner, std::move(dealt));
  return {Inside::nothing(shape, {both[0], 0}), Inside::nothing(shape, {both[1], y.fraction_bits()})};
}

Winner winner(Clear&, const Bits& pairs, const Masked& y, int ring_bits) {
  const Shape shape = y.shape();
  const std::vector<int> both = widths(y, ring_bits);
  RingTensor which(shape, both[0]), times = plain(Inside::revealed(y), both[1]);
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    const std::int64_t column = i % shape.cols;
    const std::int64_t bits = pattern_of(Inside::revealed(pairs), i / shape.cols, column, shape.cols);
    const bool won = bits == winning(column, shape.cols);
    which.data()[i] = won ? 1 : 0;
    if (!won) times.data()[i] = 0;
  }
  return {Inside::share(shape, {both[0], 0}, std::move(which)),
          Inside::share(shape, {both[1], y.fraction_bits()}, std::move(times))};
}

}  // namespace tacit::mpc
