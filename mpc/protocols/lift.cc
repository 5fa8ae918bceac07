#include "mpc/protocols/lift.h"

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 4096;

}  // namespace

Cost lift_cost(const Spec& shown, int ring_bits, const CostSetting&) {
  const int q = ring_bits - shown.format.ring_bits;
  if (q == 0) return {};
  const std::array dealt{word_shape(shown.shape, q), word_shape(shown.shape, q)};
  return dealing_cost(dealt);
}

Share lift(Party& party, const Shown& shown, int ring_bits) {
  const int k = shown.ring_bits();
  const int q = ring_bits - k;
  const Format format{ring_bits, shown.fraction_bits()};
  const std::uint64_t* m = Inside::revealed(shown).data();
  const std::uint64_t* r = Inside::mask(shown).data();
  const std::uint64_t offset = shown_offset(k);
  const std::uint64_t ring = low_bits(ring_bits);
  const std::uint64_t pub = party.first() ? ~std::uint64_t{0} : 0;
  RingTensor out(shown.shape(), ring_bits);
  std::uint64_t* x = out.data();
  if (q == 0) {
    party.workers().for_ranges(out.size(), kGrain, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) x[i] = (((m[i] - offset) & pub) - r[i]) & ring;
    });
    return Inside::share(shown.shape(), format, std::move(out));
  }
  const std::vector<RingTensor> dealt =
      party.correlations().dealt({Correlation::kWrap, shown.shape(), {q, q}, {Inside::mask(shown).view()}});
  const std::uint64_t* over = dealt[0].data();
  const std::uint64_t* sigma = dealt[1].data();
  party.workers().for_ranges(out.size(), kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      x[i] = (((m[i] - offset) & pub) - r[i] + wrap_of(over[i], sigma[i], m[i], k)) & ring;
    }
  });
  return Inside::share(shown.shape(), format, std::move(out));
}

Share lift(Dealer& dealer, const Shown& shown, int ring_bits) {
  const int k = shown.ring_bits();
  const int q = ring_bits - k;
  const Format format{ring_bits, shown.fraction_bits()};
  if (q == 0) return Inside::nothing(shown.shape(), format);
  std::vector<RingTensor> dealt(2, RingTensor(shown.shape(), q));
  const std::uint64_t* r = Inside::mask(shown).data();
  std::uint64_t* over = dealt[0].data();
  std::uint64_t* sigma = dealt[1].data();
  dealer.workers().for_ranges(shown.shape().size(), kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      over[i] = wrap_over(r[i], k, q);
      sigma[i] = wrap_sigma(r[i], k);
    }
  });
  dealer.deal(Correlation::kWrap, std::move(dealt));
  return Inside::nothing(shown.shape(), format);
}

Share lift(Clear& clear, const Shown& shown, int ring_bits) {
  const int k = shown.ring_bits();
  RingTensor out(shown.shape(), ring_bits);
  const std::uint64_t* m = Inside::revealed(shown).data();
  std::uint64_t* x = out.data();
  clear.workers().for_ranges(out.size(), kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t value = signed_value(m[i] - shown_offset(k), k);
      x[i] = static_cast<std::uint64_t>(value) & low_bits(ring_bits);
    }
  });
  return Inside::share(shown.shape(), {ring_bits, shown.fraction_bits()}, std::move(out));
}

}  // namespace tacit::mpc
