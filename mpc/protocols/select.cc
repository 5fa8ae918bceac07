#include "mpc/protocols/select.h"

#include <algorithm>

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kSelectGrain = 4096;

class Select final : public OperationOf<Share> {
 public:
  Select(const Bits& bits, const Shown& shown, int ring_bits) : bits_(bits), shown_(shown), ring_bits_(ring_bits) {}
  std::string_view name() const override { return "select"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear&) override;
  Share at(Planner& planner) override;

 private:
  SelectionRequest request(const BitTensor& mu, RingView r) const {
    return {&mu, r, shown_.ring_bits(), ring_bits_, !Inside::widened(bits_).serves(ring_bits_)};
  }
  SelectionRequest request() const { return request(Inside::mask(bits_), Inside::mask(shown_).view()); }

  const Bits& bits_;
  const Shown& shown_;
  const int ring_bits_;
};

Cost Select::cost(const CostSetting& setting) const {
  const BitTensor mu(shown_.shape());
  return correlation_cost(request(mu, without_contents(shown_.shape())), setting);
}

Share Select::at(Party& party) {
  const int k = shown_.ring_bits();
  const int q = ring_bits_ - k;
  auto& widened = Inside::widened(bits_);
  const SelectionRequest of = request();
  std::vector<RingTensor> dealt = party.correlations().words(of);
  if (of.with_mu) {
    widened.mask = std::make_shared<const RingTensor>(std::move(dealt[1]));
    widened.ring_bits = ring_bits_;
    dealt.erase(dealt.begin() + 1);
  }
  RingTensor out(shown_.shape(), ring_bits_);
  SelectWords words{.lift = lift_words(shown_, party.first(), out),
                    .delta = Inside::revealed(bits_).words().data(),
                    .mu = widened.mask->data(),
                    .mu_r = dealt[0].data(),
                    .mu_over = nullptr,
                    .mu_sigma = nullptr};
  if (q > 0) {
    words.lift.over = dealt[1].data();
    words.lift.sigma = dealt[2].data();
    words.mu_over = dealt[3].data();
    words.mu_sigma = dealt[4].data();
  }
  const auto loop = loops(best_instructions()).select;
  party.workers().for_ranges(BitTensor::words_for(out.size()), kSelectGrain / kWordBits,
                             [&](std::int64_t begin, std::int64_t end) {
                               loop(words, begin * kWordBits, std::min(end * kWordBits, out.size()));
                             });
  return Inside::share(shown_.shape(), {ring_bits_, shown_.fraction_bits()}, std::move(out));
}

Share Select::at(Dealer& dealer) {
  dealer.deal(request());
  Inside::widened(bits_).widen(ring_bits_);
  return Inside::nothing(shown_.shape(), {ring_bits_, shown_.fraction_bits()});
}

Share Select::at(Clear&) {
  const int k = shown_.ring_bits();
  RingTensor out(shown_.shape(), ring_bits_);
  for (std::int64_t i = 0; i < out.size(); ++i) {
    const std::int64_t x = signed_value(Inside::revealed(shown_).data()[i] - shown_offset(k), k);
    out.data()[i] = Inside::revealed(bits_).at(i) ? static_cast<std::uint64_t>(x) & low_bits(ring_bits_) : 0;
  }
  return Inside::share(shown_.shape(), {ring_bits_, shown_.fraction_bits()}, std::move(out));
}

Share Select::at(Planner& planner) {
  Inside::widened(bits_).widen(ring_bits_);
  return planner.made(shown_.shape(), {ring_bits_, shown_.fraction_bits()});
}

}  // namespace

Share select(Session& session, const Bits& bits, const Shown& shown, int ring_bits) {
  TACIT_CHECK(bits.shape() == shown.shape());
  TACIT_CHECK(ring_bits >= 1 && ring_bits <= kWordBits);
  return session.run(Select(bits, shown, ring_bits));
}

}  // namespace tacit::mpc
