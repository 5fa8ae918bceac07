#include "mpc/protocols/lift.h"

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kLiftGrain = 4096;

class Lift final : public OperationOf<Share> {
 public:
  Lift(const Shown& shown, int ring_bits) : shown_(shown), ring_bits_(ring_bits) {}
  std::string_view name() const override { return "lift"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override { return planner.made(shown_.shape(), {ring_bits_, shown_.fraction_bits()}); }

 private:
  int more_bits() const { return ring_bits_ - shown_.ring_bits(); }
  // With this rank's masks, for a wider ring.
  WrapRequest request() const { return {Inside::mask(shown_).view(), shown_.ring_bits(), more_bits()}; }

  const Shown& shown_;
  const int ring_bits_;
};

Cost Lift::cost(const CostSetting& setting) const {
  if (more_bits() == 0) return {};
  return correlation_cost(WrapRequest{without_contents(shown_.shape()), shown_.ring_bits(), more_bits()}, setting);
}

Share Lift::at(Party& party) {
  const Format format{ring_bits_, shown_.fraction_bits()};
  RingTensor out(shown_.shape(), ring_bits_);
  LiftWords words = lift_words(shown_, party.first(), out);
  std::vector<RingTensor> dealt;
  if (more_bits() > 0) {
    dealt = party.correlations().words(request());
    words.over = dealt[0].data();
    words.sigma = dealt[1].data();
  }
  const auto loop = loops(best_instructions()).lift;
  party.workers().for_ranges(out.size(), kLiftGrain,
                             [&](std::int64_t begin, std::int64_t end) { loop(words, begin, end); });
  return Inside::share(shown_.shape(), format, std::move(out));
}

Share Lift::at(Dealer& dealer) {
  if (more_bits() > 0) dealer.deal(request());
  return Inside::nothing(shown_.shape(), {ring_bits_, shown_.fraction_bits()});
}

Share Lift::at(Clear& clear) {
  const int k = shown_.ring_bits();
  const std::uint64_t ring = low_bits(ring_bits_);
  RingTensor out(shown_.shape(), ring_bits_);
  const std::uint64_t* m = Inside::revealed(shown_).data();
  std::uint64_t* x = out.data();
  clear.workers().for_ranges(out.size(), kLiftGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t value = signed_value(m[i] - shown_offset(k), k);
      x[i] = static_cast<std::uint64_t>(value) & ring;
    }
  });
  return Inside::share(shown_.shape(), {ring_bits_, shown_.fraction_bits()}, std::move(out));
}

}  // namespace

Share lift(Session& session, const Shown& shown, int ring_bits) {
  TACIT_CHECK(ring_bits >= shown.ring_bits() && ring_bits <= kWordBits);
  return session.run(Lift(shown, ring_bits));
}

}  // namespace tacit::mpc
