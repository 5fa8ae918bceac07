#include "mpc/protocols/indicator.h"

#include "mpc/kernels/bit_slice.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kIndicatorGrain = 4096;

class Indicator final : public OperationOf<Share> {
 public:
  Indicator(const Bits& bits, int ring_bits) : bits_(bits), ring_bits_(ring_bits) {}
  std::string_view name() const override { return "indicator"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override;

 private:
  WideningRequest request(const BitTensor& mu) const { return {&mu, ring_bits_}; }

  const Bits& bits_;
  const int ring_bits_;
};

Cost Indicator::cost(const CostSetting& setting) const {
  if (Inside::widened(bits_).serves(ring_bits_)) return {};
  const BitTensor mu(bits_.shape());
  return correlation_cost(request(mu), setting);
}

Share Indicator::at(Party& party) {
  auto& widened = Inside::widened(bits_);
  if (!Inside::widened(bits_).serves(ring_bits_)) {
    std::vector<RingTensor> dealt = party.correlations().words(request(Inside::mask(bits_)));
    widened.mask = std::make_shared<const RingTensor>(std::move(dealt.front()));
    widened.ring_bits = ring_bits_;
  }
  RingTensor out(bits_.shape(), ring_bits_);
  const std::uint64_t ring = low_bits(ring_bits_);
  const std::uint64_t pub = party.first() ? 1 : 0;
  const std::uint64_t* mu = widened.mask->data();
  const std::span<const std::uint64_t> delta = Inside::revealed(bits_).words();
  std::uint64_t* to = out.data();
  party.workers().for_ranges(out.size(), kIndicatorGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t bit = (delta[static_cast<std::size_t>(i / kWordBits)] >> (i % kWordBits)) & 1;
      to[i] = ((bit & pub) + (1 - 2 * bit) * mu[i]) & ring;
    }
  });
  return Inside::share(bits_.shape(), {ring_bits_, 0}, std::move(out));
}

Share Indicator::at(Dealer& dealer) {
  if (!Inside::widened(bits_).serves(ring_bits_)) {
    dealer.deal(request(Inside::mask(bits_)));
    Inside::widened(bits_).ring_bits = ring_bits_;
  }
  return Inside::nothing(bits_.shape(), {ring_bits_, 0});
}

Share Indicator::at(Clear& clear) {
  RingTensor out(bits_.shape(), ring_bits_);
  widen(Inside::revealed(bits_), out, clear.workers());
  return Inside::share(bits_.shape(), {ring_bits_, 0}, std::move(out));
}

Share Indicator::at(Planner& planner) {
  Inside::widened(bits_).widen(ring_bits_);
  return planner.made(bits_.shape(), {ring_bits_, 0});
}

}  // namespace

Share indicator(Session& session, const Bits& bits, int ring_bits) {
  TACIT_CHECK(ring_bits >= 1 && ring_bits <= kWordBits);
  return session.run(Indicator(bits, ring_bits));
}

}  // namespace tacit::mpc
