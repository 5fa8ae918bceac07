#include "mpc/protocols/reveal.h"

#include <fmt/format.h>

#include "mpc/protocols/compare_transcripts.h"
#include "mpc/session/inside.h"
#include "net/collectives/collectives.h"

namespace tacit::mpc {

namespace {

Public seen(const RingTensor& sum, const Share& x) {
  return Inside::revealed(x.shape(), decode(sum, x.fraction_bits()));
}

// Straight to the one that it is for.
void gather_at(Party& party, int root, RingTensor& share) {
  const std::size_t n = static_cast<std::size_t>(party.parties());
  std::vector<RingTensor> received;
  if (party.rank() == root) received.assign(n, RingTensor(share.shape(), share.bits()));
  std::vector<net::Words> tensors(n);
  std::vector<net::Tensors> by_party(n);
  for (std::size_t p = 0; p < n; ++p) {
    const bool own = static_cast<int>(p) == party.rank();
    RingTensor& held = own || received.empty() ? share : received[p];
    tensors[p] = {held.words(), held.bits()};
    by_party[p] = net::Tensors(&tensors[p], 1);
  }
  net::gather(party.group(), root, by_party);
  const std::uint64_t ring = low_bits(share.bits());
  for (std::size_t p = 0; p < received.size(); ++p) {
    if (static_cast<int>(p) == root) continue;
    for (std::int64_t i = 0; i < share.size(); ++i) share.data()[i] = (share.data()[i] + received[p].data()[i]) & ring;
  }
}

}  // namespace

Cost reveal_cost(const Spec& x, To to, const CostSetting& setting) {
  const net::WordShape opened = word_shape(x.shape, x.format.ring_bits);
  const Cost tags = TagExchange::cost(setting);
  if (to == To::everyone()) return tags + opening_cost(std::span(&opened, 1), setting);
  const std::span<const net::WordShape> own(&opened, 1);
  const std::vector<std::span<const net::WordShape>> by_party(static_cast<std::size_t>(setting.parties), own);
  const net::Cost cost = net::gather_cost(by_party, to.party, setting.rank);
  return tags + Cost{.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages};
}

// The tags are sent first and judged before anything is decoded.
Public reveal(Party& party, const Share& x, To to) {
  RingTensor share = Inside::words(x);
  party.refresh(share);
  TagExchange tags(party);
  if (to == To::everyone()) {
    party.open(std::span(&share, 1));
    tags.expect_equal();
    return seen(share, x);
  }
  gather_at(party, to.party, share);
  tags.expect_equal();
  return party.rank() == to.party ? seen(share, x) : Inside::unseen(x.shape());
}

Public reveal(Dealer&, const Share& x, To) { return Inside::unseen(x.shape()); }

Public reveal(Clear&, const Share& x, To) { return seen(Inside::words(x), x); }

Cost decide_cost(const CostSetting& setting) {
  if (setting.rank != 0) return {.rounds = 1};
  return {.rounds = 1, .bytes = setting.parties - 1, .messages = setting.parties - 1};
}

bool decide(Party& party, const std::function<bool()>& at_rank_0) {
  net::Mesh& mesh = party.mesh();
  std::byte outcome{};
  if (party.rank() == 0) {
    outcome = at_rank_0() ? std::byte{1} : std::byte{0};
    for (int peer = 1; peer < mesh.size(); ++peer) mesh.channel(peer).post(net::kMainStream, std::span(&outcome, 1));
  } else {
    const net::Bytes one(&outcome, 1);
    net::Transfer told = party.group().receive(0, std::span(&one, 1));
    party.group().wait(told);
  }
  mesh.count_rounds(1);
  if (outcome > std::byte{1}) throw ProtocolError(fmt::format("{} sent no decision", mesh.describe(0)), 0);
  const auto decided = static_cast<std::uint64_t>(outcome);
  party.transcript().absorb(std::span(&decided, 1));
  return outcome == std::byte{1};
}

bool decide(Dealer& dealer, const std::function<bool()>&) {
  net::Mesh& mesh = dealer.mesh();
  std::byte outcome{};
  net::Transfer told = mesh.channel(0).receive(net::kMainStream, std::span(&outcome, 1));
  dealer.wait(told);
  if (outcome > std::byte{1}) throw ProtocolError(fmt::format("{} sent no decision", mesh.describe(0)), 0);
  return outcome == std::byte{1};
}

bool decide(Clear&, const std::function<bool()>& at_rank_0) { return at_rank_0(); }

}  // namespace tacit::mpc
