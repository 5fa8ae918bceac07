#include "mpc/protocols/indicator.h"

#include "mpc/kernels/bit_slice.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

Cost indicator_cost(const Bits& bits, int ring_bits, const CostSetting&) {
  if (Inside::widened(bits).serves(ring_bits)) return {};
  const net::WordShape mu = word_shape(bits.shape(), ring_bits);
  return dealing_cost(std::span(&mu, 1));
}

Share indicator(Party& party, const Bits& bits, int ring_bits) {
  auto& widened = Inside::widened(bits);
  if (!Inside::widened(bits).serves(ring_bits)) {
    std::vector<RingTensor> dealt =
        party.correlations().dealt({Correlation::kSelection, bits.shape(), {ring_bits}, {}});
    widened.mask = std::make_shared<const RingTensor>(std::move(dealt.front()));
    widened.ring_bits = ring_bits;
  }
  RingTensor out(bits.shape(), ring_bits);
  const std::uint64_t ring = low_bits(ring_bits);
  const std::uint64_t pub = party.first() ? 1 : 0;
  const std::uint64_t* mu = widened.mask->data();
  const std::span<const std::uint64_t> delta = Inside::revealed(bits).words();
  std::uint64_t* to = out.data();
  for (std::int64_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bit = (delta[static_cast<std::size_t>(i / kWordBits)] >> (i % kWordBits)) & 1;
    to[i] = ((bit & pub) + (1 - 2 * bit) * mu[i]) & ring;
  }
  return Inside::share(bits.shape(), {ring_bits, 0}, std::move(out));
}

Share indicator(Dealer& dealer, const Bits& bits, int ring_bits) {
  if (!Inside::widened(bits).serves(ring_bits)) {
    std::vector<RingTensor> mu;
    widen(Inside::mask(bits), mu.emplace_back(bits.shape(), ring_bits), dealer.workers());
    dealer.deal(Correlation::kSelection, std::move(mu));
    Inside::widened(bits).ring_bits = ring_bits;
  }
  return Inside::nothing(bits.shape(), {ring_bits, 0});
}

Share indicator(Clear& clear, const Bits& bits, int ring_bits) {
  RingTensor out(bits.shape(), ring_bits);
  widen(Inside::revealed(bits), out, clear.workers());
  return Inside::share(bits.shape(), {ring_bits, 0}, std::move(out));
}

}  // namespace tacit::mpc
