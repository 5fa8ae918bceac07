#include "mpc/protocols/lifted_multiple.h"

#include <cstdlib>

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kLiftedMultipleGrain = 4096;

// a 2^(k-e)
std::uint64_t wrap_of_multiple(int k, const PublicFactor& factor) {
  const int bits = k - factor.shift;
  return bits == kWordBits ? 0 : static_cast<std::uint64_t>(factor.mantissa) << bits;
}

class LiftedMultiple final : public OperationOf<Share> {
 public:
  LiftedMultiple(const Shown& x, const PublicFactor& factor, Format format) : x_(x), factor_(factor), format_(format) {}
  std::string_view name() const override { return "lifted multiple"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override { return planner.made(x_.shape(), format_); }

 private:
  LiftedMultipleRequest request(RingView r) const {
    return {r, x_.ring_bits(), factor_.mantissa, factor_.shift, format_.ring_bits};
  }
  LiftedMultipleRequest request() const { return request(Inside::mask(x_).view()); }  // with this rank's mask

  const Shown& x_;
  const PublicFactor factor_;
  const Format format_;
};

Cost LiftedMultiple::cost(const CostSetting& setting) const {
  return correlation_cost(request(without_contents(x_.shape())), setting);
}

Share LiftedMultiple::at(Party& party) {
  const int k = x_.ring_bits();
  const std::vector<RingTensor> dealt = party.correlations().words(request());
  const std::uint64_t *m = Inside::revealed(x_).data(), *multiple = dealt[0].data(), *sigma = dealt[1].data();
  const std::uint64_t wrap = wrap_of_multiple(k, factor_);
  const std::uint64_t ring = low_bits(format_.ring_bits), all = party.first() ? ~std::uint64_t{0} : 0;
  RingTensor out(x_.shape(), format_.ring_bits);
  std::uint64_t* to = out.data();
  party.workers().for_ranges(out.size(), kLiftedMultipleGrain, [=, this](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t known = rounded_multiple(m[i], shown_offset(k), factor_);
      const std::uint64_t back = (sigma[i] & wraps(m[i], k)) * wrap;
      to[i] = ((known & all) - multiple[i] + back) & ring;
    }
  });
  return Inside::share(x_.shape(), format_, std::move(out));
}

Share LiftedMultiple::at(Dealer& dealer) {
  dealer.deal(request());
  return Inside::nothing(x_.shape(), format_);
}

// Dithered like the shares: C is uniform.
Share LiftedMultiple::at(Clear& clear) {
  const int k = x_.ring_bits();
  const RingTensor dithered = clear.dither(x_.shape(), k);
  const std::uint64_t *m = Inside::revealed(x_).data(), *rho = dithered.data(), ring = low_bits(format_.ring_bits);
  RingTensor out(x_.shape(), format_.ring_bits);
  std::uint64_t* to = out.data();
  clear.workers().for_ranges(out.size(), kLiftedMultipleGrain, [=, this](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t word = (m[i] + rho[i]) & low_bits(k), sigma = wrap_sigma(rho[i], k) & wraps(word, k);
      to[i] = (rounded_multiple(word, shown_offset(k), factor_) - rounded_multiple(rho[i], 0, factor_) +
               sigma * wrap_of_multiple(k, factor_)) &
              ring;
    }
  });
  return Inside::share(x_.shape(), format_, std::move(out));
}

}  // namespace

Share lifted_multiple(Session& session, const Shown& x, const PublicFactor& factor, Format result) {
  TACIT_CHECK(result.ring_bits >= x.ring_bits() && result.ring_bits <= kWordBits);
  TACIT_CHECK(factor.shift >= 0 && factor.shift <= x.ring_bits());
  TACIT_CHECK(std::abs(factor.mantissa) < std::int64_t{1} << 62);
  return session.run(LiftedMultiple(x, factor, result));
}

}  // namespace tacit::mpc
