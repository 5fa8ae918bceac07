#include "mpc/protocols/show.h"

#include "mpc/kernels/elementwise.h"
#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

Masked without_offset(const Shown& shown, Workers& workers) {
  auto delta = std::make_shared<RingTensor>(shown.shape(), shown.ring_bits());
  add_constant(Inside::revealed(shown), std::uint64_t{0} - shown_offset(shown.ring_bits()), *delta, workers);
  return Inside::masked(shown.shape(), shown.format(), std::move(delta), Inside::held_mask(shown));
}

}  // namespace

Cost show_cost(std::span<const Spec> tensors, const CostSetting& setting) {
  std::vector<net::WordShape> opened;
  for (const Spec& x : tensors) opened.push_back(word_shape(x.shape, x.format.ring_bits));
  return opening_cost(opened, setting);
}

std::vector<Shown> show(Party& party, std::span<const Share> shares) {
  std::vector<RingTensor> r, m;
  for (const Share& x : shares) {
    r.push_back(party.correlations().mask(x.shape(), kWordBits));
    m.emplace_back(x.shape(), x.ring_bits());
    add(Inside::words(x), r.back(), m.back(), party.workers());
    if (party.first()) add_constant(m.back(), shown_offset(x.ring_bits()), m.back(), party.workers());
  }
  party.open(m);
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shown.push_back(Inside::shown(shares[i].shape(), shares[i].format(),
                                  std::make_shared<const RingTensor>(std::move(m[i])),
                                  std::make_shared<const RingTensor>(std::move(r[i]))));
  }
  return shown;
}

std::vector<Shown> show(Dealer& dealer, std::span<const Share> shares) {
  std::vector<Shown> shown;
  for (const Share& x : shares) {
    shown.push_back(Inside::shown(x.shape(), x.format(), nullptr,
                                  std::make_shared<const RingTensor>(dealer.mask(x.shape(), kWordBits))));
  }
  return shown;
}

std::vector<Shown> show(Clear& clear, std::span<const Share> shares) {
  std::vector<Shown> shown;
  for (const Share& x : shares) {
    clear.expect_below("show", Inside::words(x), 0, static_cast<double>(shown_offset(x.ring_bits())),
                       x.fraction_bits());
    auto m = std::make_shared<RingTensor>(x.shape(), x.ring_bits());
    add_constant(Inside::words(x), shown_offset(x.ring_bits()), *m, clear.workers());
    shown.push_back(Inside::shown(x.shape(), x.format(), std::move(m), nullptr));
  }
  return shown;
}

Cost masked_cost(const Spec&, const CostSetting&) { return {}; }

Masked masked(Party& party, const Shown& shown) { return without_offset(shown, party.workers()); }

Masked masked(Dealer&, const Shown& shown) {
  return Inside::masked(shown.shape(), shown.format(), nullptr, Inside::held_mask(shown));
}

Masked masked(Clear& clear, const Shown& shown) { return without_offset(shown, clear.workers()); }

}  // namespace tacit::mpc
