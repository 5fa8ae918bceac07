#include "mpc/protocols/reveal.h"

#include "mpc/protocols/compare_transcripts.h"
#include "mpc/session/inside.h"
#include "net/collectives/collectives.h"

namespace tacit::mpc {

namespace {

Public seen(const RingTensor& sum, const Share& x) {
  return Inside::revealed(x.shape(), decode(sum, x.fraction_bits()));
}

}  // namespace

Cost RevealShare::cost(const CostSetting& setting) const {
  const net::WordShape opened = word_shape(x_.shape(), x_.ring_bits());
  const Cost tags = TagExchange::cost(setting);
  if (to_ == To::everyone()) return tags + opening_cost(std::span(&opened, 1), setting);
  const std::span<const net::WordShape> own(&opened, 1);
  const std::vector<std::span<const net::WordShape>> by_party(static_cast<std::size_t>(setting.parties), own);
  const net::Cost cost = net::gather_cost(by_party, to_.party, setting.rank);
  return tags + Cost{.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages};
}

// The tags are sent first and compared before anything is decoded.
Public RevealShare::at(Party& party) {
  RingTensor share = Inside::words(x_);
  party.refresh(share);
  TagExchange tags(party);
  if (to_ == To::everyone()) {
    party.open(std::span(&share, 1));
    tags.expect_equal();
    return seen(share, x_);
  }
  party.open_to(to_.party, std::span(&share, 1));
  tags.expect_equal();
  return party.rank() == to_.party ? seen(share, x_) : Inside::unseen(x_.shape());
}

Public RevealShare::at(Dealer&) { return Inside::unseen(x_.shape()); }

Public RevealShare::at(Clear&) { return seen(Inside::words(x_), x_); }

Public RevealShare::at(Planner&) { return Inside::unseen(x_.shape()); }

Public reveal(Session& session, const Share& share, To to, std::string_view reason) {
  session.note_reveal(reason, to, share.shape().size());
  return session.run(RevealShare(share, to));
}

}  // namespace tacit::mpc
