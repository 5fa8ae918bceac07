#include "mpc/protocols/late_reveal.h"

#include "mpc/protocols/compare_transcripts.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"
#include "net/collectives/pack.h"

namespace tacit::mpc {

namespace {

bool is_recipient(To to, int party) { return to == To::everyone() || to.party == party; }

std::int64_t packed_bytes_of(const Share& x) { return net::packed_bytes(x.shape().size(), x.ring_bits()); }

}  // namespace

struct LateReveal::Travelling {
  explicit Travelling(Party& party, RingTensor own)
      : tags(party),
        share(std::move(own)),
        theirs(static_cast<std::size_t>(party.parties())),
        rounds(party.mesh().traffic().rounds) {}

  TagExchange tags;
  RingTensor share;                            // this party's, refreshed
  std::vector<std::vector<std::byte>> theirs;  // by party; empty for a party that sends this rank nothing
  const std::int64_t rounds;                   // the mesh's count at the first call
  std::vector<net::Transfer> receives;         // declared last: destroyed before the memory that they write
};

class HandOver final : public OperationOf<LateReveal> {
 public:
  HandOver(const Share& x, To to) : x_(x), to_(to) {}
  std::string_view name() const override { return "late_reveal"; }
  Cost cost(const CostSetting& setting) const override;
  LateReveal at(Party& party) override;
  LateReveal at(Dealer&) override { return late(); }
  LateReveal at(Clear&) override { return late(); }
  LateReveal at(Planner&) override { return late(); }

 private:
  LateReveal late() const {
    LateReveal made;
    made.x_ = x_;
    made.to_ = to_;
    return made;
  }

  const Share& x_;
  const To to_;
};

Cost HandOver::cost(const CostSetting& setting) const {
  Cost cost = TagExchange::cost(setting);
  if (x_.shape().size() == 0) return cost;
  for (int party = 0; party < setting.parties; ++party) {
    if (party == setting.rank || !is_recipient(to_, party)) continue;
    cost += {.bytes = packed_bytes_of(x_), .messages = 1};
  }
  return cost;
}

LateReveal HandOver::at(Party& party) {
  RingTensor own = Inside::words(x_);
  party.refresh(own);
  LateReveal made = late();
  made.travelling_ = std::make_shared<LateReveal::Travelling>(party, std::move(own));
  LateReveal::Travelling& travelling = *made.travelling_;
  const auto size = static_cast<std::size_t>(packed_bytes_of(x_));
  if (size == 0) return made;
  std::vector<std::byte> packed(size);
  net::pack({travelling.share.words(), travelling.share.bits()}, packed);
  for (int peer = 0; peer < party.parties(); ++peer) {
    if (peer == party.rank()) continue;
    if (is_recipient(to_, peer)) party.mesh().channel(peer).post(net::kMainStream, packed);
    if (!is_recipient(to_, party.rank())) continue;
    std::vector<std::byte>& theirs = travelling.theirs[static_cast<std::size_t>(peer)];
    theirs.resize(size);
    const net::Bytes bytes(theirs);
    travelling.receives.push_back(party.group().receive(peer, std::span(&bytes, 1)));
  }
  return made;
}

class TakeRevealed final : public OperationOf<Public> {
 public:
  explicit TakeRevealed(const LateReveal& late) : x_(late.x_), to_(late.to_), travelling_(late.travelling_) {}
  std::string_view name() const override { return "revealed"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Public at(Party& party) override;
  Public at(Dealer&) override { return Inside::unseen(x_.shape()); }
  Public at(Clear&) override { return seen(Inside::words(x_)); }
  Public at(Planner&) override { return Inside::unseen(x_.shape()); }

 private:
  Public seen(const RingTensor& sum) const { return Inside::revealed(x_.shape(), decode(sum, x_.fraction_bits())); }
  void note_share_for_one(Party& party);

  const Share& x_;
  const To to_;
  const std::shared_ptr<LateReveal::Travelling>& travelling_;
};

Public TakeRevealed::at(Party& party) {
  TACIT_CHECK(travelling_ != nullptr);
  LateReveal::Travelling& travelling = *travelling_;
  // Without a round in between, this call would take one that no cost states.
  TACIT_CHECK(party.parties() == 1 || party.mesh().traffic().rounds > travelling.rounds);
  for (net::Transfer& receive : travelling.receives) party.group().wait(receive);
  if (to_ != To::everyone()) note_share_for_one(party);
  for (const std::vector<std::byte>& theirs : travelling.theirs) {
    if (!theirs.empty()) net::add_packed(theirs, {travelling.share.words(), travelling.share.bits()});
  }
  if (to_ == To::everyone()) party.transcript().absorb(travelling.share.words());
  travelling.tags.expect_equal();
  return is_recipient(to_, party.rank()) ? seen(travelling.share) : Inside::unseen(x_.shape());
}

// The two ends of each message hash its words.
void TakeRevealed::note_share_for_one(Party& party) {
  const LateReveal::Travelling& travelling = *travelling_;
  if (to_.party != party.rank()) {
    const net::ConstBytes sent = std::as_bytes(travelling.share.words());
    party.transcript().sent(to_.party, std::span(&sent, 1));
    return;
  }
  for (int peer = 0; peer < party.parties(); ++peer) {
    if (peer == party.rank()) continue;
    const std::vector<std::byte>& theirs = travelling.theirs[static_cast<std::size_t>(peer)];
    RingTensor words(x_.shape(), x_.ring_bits());
    if (!theirs.empty()) net::unpack(theirs, {words.words(), words.bits()});
    const net::ConstBytes received = std::as_bytes(words.words());
    party.transcript().received(peer, std::span(&received, 1));
  }
}

LateReveal late_reveal(Session& session, const Share& share, To to, std::string_view reason) {
  session.note_reveal(reason, to, share.shape().size());
  return session.run(HandOver(share, to));
}

Public revealed(Session& session, LateReveal late) { return session.run(TakeRevealed(late)); }

}  // namespace tacit::mpc
