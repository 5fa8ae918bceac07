#include "mpc/protocols/compare_transcripts.h"

#include <fmt/format.h>

#include <algorithm>

#include "mpc/session/operation.h"
#include "net/error.h"

namespace tacit::mpc {

std::int64_t TagExchange::message_bytes(int parties) {
  const std::size_t zeros = parties > 2 ? sizeof(Message::zero_share) : 0;
  return static_cast<std::int64_t>(sizeof(HashTag) + zeros);
}

Cost TagExchange::cost(const CostSetting& setting) {
  const std::int64_t peers = setting.parties - 1;
  return {.bytes = peers * message_bytes(setting.parties), .messages = peers};
}

net::Bytes TagExchange::bytes_of(Message& message) const {
  static_assert(sizeof message == sizeof message.tag + sizeof message.zero_share);
  return std::as_writable_bytes(std::span(&message, 1))
      .first(static_cast<std::size_t>(message_bytes(party_.parties())));
}

TagExchange::TagExchange(Party& party) : party_(party), own_(static_cast<std::size_t>(party.parties())), theirs_(own_) {
  RingTensor zero = RingTensor::zeros({std::ssize(Message().zero_share), 1}, kWordBits);
  party.refresh(zero);
  for (int peer = 0; peer < party.parties(); ++peer) {
    const auto at = static_cast<std::size_t>(peer);
    std::copy(zero.words().begin(), zero.words().end(), own_[at].zero_share.begin());
    if (peer == party.rank()) continue;
    own_[at].tag = party.transcript().tag(peer);
    const net::Bytes theirs = bytes_of(theirs_[at]);
    receives_.push_back(party.group().receive(peer, std::span(&theirs, 1)));
    party.mesh().channel(peer).post(net::kMainStream, bytes_of(own_[at]));
  }
}

void TagExchange::expect_equal() {
  for (net::Transfer& receive : receives_) party_.group().wait(receive);
  std::vector<int> others;
  std::array<std::uint64_t, 2> zero = own_[static_cast<std::size_t>(party_.rank())].zero_share;
  for (int peer = 0; peer < party_.parties(); ++peer) {
    if (peer == party_.rank()) continue;
    const auto at = static_cast<std::size_t>(peer);
    if (own_[at].tag != theirs_[at].tag) others.push_back(peer);
    for (std::size_t i = 0; i < zero.size(); ++i) zero[i] += theirs_[at].zero_share[i];
  }
  const bool all_pairs_agree = party_.parties() <= 2 || zero == decltype(zero){};
  if (!others.empty() || !all_pairs_agree) fail(others);
}

void TagExchange::fail(const std::vector<int>& others) const {
  const bool all = std::ssize(others) == party_.parties() - 1 && others.size() > 1;
  const int culprit = all ? party_.rank() : others.empty() ? -1 : others.front();
  const std::string who = all              ? fmt::format("rank {} and all other parties", party_.rank())
                          : others.empty() ? "two other ranks, which report this themselves,"
                                           : fmt::format("ranks {} and {}", party_.rank(), others.front());
  throw ProtocolError(
      fmt::format("{} did not see the same opened values: a machine's memory or a link is damaged, or a rank runs "
                  "another build of Tacit. Nothing more was revealed; test {}, and resume from a checkpoint",
                  who, all ? "that rank's machine" : "both machines"),
      culprit);
}

namespace {

struct Nothing {};

class CompareTranscripts final : public OperationOf<Nothing> {
 public:
  std::string_view name() const override { return "compare"; }
  Cost cost(const CostSetting& setting) const override;
  Nothing at(Party& party) override;
  Nothing at(Dealer&) override { return {}; }
  Nothing at(Clear&) override { return {}; }
  Nothing at(Planner&) override { return {}; }
};

Cost CompareTranscripts::cost(const CostSetting& setting) const {
  Cost cost = TagExchange::cost(setting);
  cost.rounds = setting.parties > 1 ? 1 : 0;
  return cost;
}

Nothing CompareTranscripts::at(Party& party) {
  party.group().count_rounds(party.parties() > 1 ? 1 : 0);
  TagExchange(party).expect_equal();
  return {};
}

}  // namespace

void compare_transcripts(Session& session) { session.run(CompareTranscripts()); }

}  // namespace tacit::mpc
