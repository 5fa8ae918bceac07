#include "mpc/protocols/compare_transcripts.h"

#include <fmt/format.h>

#include "mpc/session/operation.h"
#include "net/error.h"

namespace tacit::mpc {

Cost TagExchange::cost(const CostSetting& setting) {
  const std::int64_t peers = setting.parties - 1;
  return {.bytes = peers * static_cast<std::int64_t>(sizeof(HashTag)), .messages = peers};
}

TagExchange::TagExchange(Party& party) : party_(party), own_(static_cast<std::size_t>(party.parties())), theirs_(own_) {
  for (int peer = 0; peer < party.parties(); ++peer) {
    if (peer == party.rank()) continue;
    const auto at = static_cast<std::size_t>(peer);
    own_[at] = party.transcript().tag(peer);
    const net::Bytes theirs(theirs_[at]);
    receives_.push_back(party.group().receive(peer, std::span(&theirs, 1)));
    party.mesh().channel(peer).post(net::kMainStream, net::ConstBytes(own_[at]));
  }
}

void TagExchange::expect_equal() {
  for (net::Transfer& receive : receives_) party_.group().wait(receive);
  std::vector<int> others;
  for (int peer = 0; peer < party_.parties(); ++peer) {
    const auto at = static_cast<std::size_t>(peer);
    if (own_[at] != theirs_[at]) others.push_back(peer);
  }
  if (others.empty()) return;
  const bool all = std::ssize(others) == party_.parties() - 1 && others.size() > 1;
  const int culprit = all ? party_.rank() : others.front();
  const std::string who = all ? fmt::format("rank {} and all other parties", party_.rank())
                              : fmt::format("ranks {} and {}", party_.rank(), others.front());
  throw ProtocolError(
      fmt::format("{} did not see the same opened values: a machine's memory or a link is damaged, or a rank runs "
                  "another build of Tacit. Nothing more was revealed; test {}, and go on from a checkpoint",
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
