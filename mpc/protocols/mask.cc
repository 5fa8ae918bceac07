#include "mpc/protocols/mask.h"

#include "mpc/kernels/elementwise.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

Cost mask_cost(std::span<const Spec> tensors, const CostSetting& setting) {
  std::vector<net::WordShape> opened;
  for (const Spec& x : tensors) opened.push_back(word_shape(x.shape, x.format.ring_bits));
  return opening_cost(opened, setting);
}

std::vector<Masked> mask(Party& party, std::span<const Share> shares) {
  std::vector<RingTensor> lambda, delta;
  for (const Share& x : shares) {
    lambda.push_back(party.correlations().mask(x.shape(), x.ring_bits()));
    delta.emplace_back(x.shape(), x.ring_bits());
    add(Inside::words(x), lambda.back(), delta.back(), party.workers());
  }
  party.open(delta);
  std::vector<Masked> masked;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    masked.push_back(Inside::masked(shares[i].shape(), shares[i].format(), std::move(delta[i]), std::move(lambda[i])));
  }
  return masked;
}

std::vector<Masked> mask(Dealer& dealer, std::span<const Share> shares) {
  std::vector<Masked> masked;
  for (const Share& x : shares) {
    auto lambda = std::make_shared<const RingTensor>(dealer.mask(x.shape(), x.ring_bits()));
    masked.push_back(Inside::masked(x.shape(), x.format(), nullptr, std::move(lambda)));
  }
  return masked;
}

std::vector<Masked> mask(Clear&, std::span<const Share> shares) {
  std::vector<Masked> masked;
  for (const Share& x : shares) masked.push_back(Inside::masked(x.shape(), x.format(), Inside::held_words(x), nullptr));
  return masked;
}

}  // namespace tacit::mpc
