#include "mpc/protocols/permute.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "mpc/kernels/elementwise.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/inside.h"
#include "net/collectives/collectives.h"

namespace tacit::mpc {

namespace {

Order inverse(const Order& order) {
  Order inverted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverted[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return inverted;
}

bool is_permutation_of(const Order& order, std::int64_t size) {
  if (std::ssize(order) != size) return false;
  std::vector<bool> seen(order.size());
  for (const std::int64_t row : order) {
    if (row < 0 || row >= size || seen[static_cast<std::size_t>(row)]) return false;
    seen[static_cast<std::size_t>(row)] = true;
  }
  return true;
}

// Row t of the result is row order[t] of x, reduced to the ring of `bits`.
RingTensor reordered(RingView x, int bits, const Order& order) {
  RingTensor out(x.shape, bits);
  const std::uint64_t ring = low_bits(bits);
  for (std::int64_t t = 0; t < x.shape.rows; ++t) {
    const std::int64_t row = order[static_cast<std::size_t>(t)];
    for (std::int64_t c = 0; c < x.shape.cols; ++c) out.data()[t * x.shape.cols + c] = x.at(row, c) & ring;
  }
  return out;
}

int index_bits(std::int64_t size) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1))));
}

void check_order(const Order* order, std::int64_t size) {
  TACIT_CHECK(order != nullptr);
  if (!is_permutation_of(*order, size)) {
    throw ConfigError(
        fmt::format("this is no order of {} rows: every row from 0 to {} must be in it once", size, size - 1));
  }
}

// -[lambda in the order of `by`] from what was dealt in the key's order, and Delta in that order at the owner.
Share assembled(Party& party, const Masked& x, int owner, RingTensor keyed, const Order& delta_order) {
  RingTensor out(keyed.shape(), keyed.bits());
  negate(keyed, out, party.workers());
  if (party.rank() == owner) add(out, reordered(Inside::revealed(x), x.ring_bits(), delta_order), out, party.workers());
  return Inside::share(x.shape(), x.format(), std::move(out));
}

}  // namespace

Cost permutation_cost(int owner, std::int64_t size, const CostSetting& setting) {
  const net::WordShape tau{size, index_bits(size)};
  const net::Cost cost = net::broadcast_cost(std::span(&tau, 1), setting.parties, owner, setting.rank);
  return {.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages};
}

Permutation permutation(Party& party, int owner, std::int64_t size, const Order* order) {
  Order key = party.correlations().permutation_key(owner, size);
  Order tau(static_cast<std::size_t>(size));
  std::vector<std::uint64_t> words(tau.size());
  if (party.rank() == owner) {
    check_order(order, size);
    const Order unkeyed = inverse(key);
    for (std::size_t t = 0; t < tau.size(); ++t)
      words[t] = static_cast<std::uint64_t>(unkeyed[static_cast<std::size_t>((*order)[t])]);
  }
  const net::Words tensor{words, index_bits(size)};
  net::broadcast(party.group(), owner, net::Tensors(&tensor, 1));
  std::transform(words.begin(), words.end(), tau.begin(),
                 [](std::uint64_t word) { return static_cast<std::int64_t>(word); });
  if (!is_permutation_of(tau, size)) {
    throw ProtocolError(fmt::format("what rank {} sent to share a permutation is none", owner), owner);
  }
  return Inside::permutation(owner, size, {party.rank() == owner ? *order : Order(), std::move(key), std::move(tau)});
}

Permutation permutation(Dealer& dealer, int owner, std::int64_t size, const Order*) {
  return Inside::permutation(owner, size, {Order(), dealer.permutation_key(owner, size), Order()});
}

Permutation permutation(Clear&, int owner, std::int64_t size, const Order* order) {
  check_order(order, size);
  return Inside::permutation(owner, size, {*order, Order(), Order()});
}

Cost permute_cost(const Spec& x, const CostSetting&) {
  const net::WordShape keyed = word_shape(x.shape, x.format.ring_bits);
  return dealing_cost(std::span(&keyed, 1));
}

Share permute(Party& party, const Masked& x, const Permutation& permutation) {
  const auto& content = Inside::content(permutation);
  const std::vector<RingTensor> keyed =
      party.correlations().dealt({Correlation::kPermutation, x.shape(), {x.ring_bits()}, {Inside::mask(x)}});
  return assembled(party, x, permutation.owner(), reordered(keyed.front().view(), x.ring_bits(), content.tau),
                   content.order);
}

Share permute(Dealer& dealer, const Masked& x, const Permutation& permutation) {
  std::vector<RingTensor> keyed;
  keyed.push_back(reordered(Inside::mask(x), x.ring_bits(), Inside::content(permutation).key));
  dealer.deal(Correlation::kPermutation, std::move(keyed));
  return Inside::nothing(x.shape(), x.format());
}

Share permute(Clear&, const Masked& x, const Permutation& permutation) {
  return Inside::share(x.shape(), x.format(),
                       reordered(Inside::revealed(x), x.ring_bits(), Inside::content(permutation).order));
}

Cost unpermute_cost(const Spec& x, const CostSetting& setting) {
  return mask_cost(std::span(&x, 1), setting) + permute_cost(x, setting);
}

Share unpermute(Party& party, const Share& x, const Permutation& permutation) {
  const auto& content = Inside::content(permutation);
  const Share turned =
      Inside::share(x.shape(), x.format(), reordered(Inside::words(x).view(), x.ring_bits(), inverse(content.tau)));
  const Masked masked = std::move(mask(party, std::span(&turned, 1)).front());
  std::vector<RingTensor> keyed =
      party.correlations().dealt({Correlation::kPermutation, x.shape(), {x.ring_bits()}, {Inside::mask(masked)}});
  const bool owner = party.rank() == permutation.owner();
  return assembled(party, masked, permutation.owner(), std::move(keyed.front()),
                   owner ? inverse(content.key) : Order());
}

Share unpermute(Dealer& dealer, const Share& x, const Permutation& permutation) {
  const Masked masked = std::move(mask(dealer, std::span(&x, 1)).front());
  std::vector<RingTensor> keyed;
  keyed.push_back(reordered(Inside::mask(masked), x.ring_bits(), inverse(Inside::content(permutation).key)));
  dealer.deal(Correlation::kPermutation, std::move(keyed));
  return Inside::nothing(x.shape(), x.format());
}

Share unpermute(Clear&, const Share& x, const Permutation& permutation) {
  const Order back = inverse(Inside::content(permutation).order);
  return Inside::share(x.shape(), x.format(), reordered(Inside::words(x).view(), x.ring_bits(), back));
}

}  // namespace tacit::mpc
