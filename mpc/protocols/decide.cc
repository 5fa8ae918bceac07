#include "mpc/protocols/decide.h"

#include "mpc/correlations/request_notes.h"
#include "mpc/session/decision.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

class Decide final : public OperationOf<bool> {
 public:
  explicit Decide(const std::function<bool()>& at_rank_0) : at_rank_0_(at_rank_0) {}
  std::string_view name() const override { return "decide"; }
  Cost cost(const CostSetting& setting) const override;
  bool at(Party& party) override;
  bool at(Dealer& dealer) override { return dealer.decision(); }
  bool at(Clear&) override { return at_rank_0_(); }
  bool at(Planner&) override { return true; }

 private:
  const std::function<bool()>& at_rank_0_;
};

Cost Decide::cost(const CostSetting& setting) const {
  if (setting.notes != nullptr) setting.notes->begin_decision();
  if (setting.rank != 0) return {.rounds = 1};
  return {.rounds = 1, .bytes = setting.parties - 1, .messages = setting.parties - 1};
}

bool Decide::at(Party& party) {
  net::Mesh& mesh = party.mesh();
  std::byte outcome{};
  if (party.rank() == 0) {
    outcome = at_rank_0_() ? std::byte{1} : std::byte{0};
    for (int peer = 1; peer < mesh.size(); ++peer) mesh.channel(peer).post(net::kMainStream, std::span(&outcome, 1));
  } else {
    const net::Bytes one(&outcome, 1);
    net::Transfer told = party.group().receive(0, std::span(&one, 1));
    party.group().wait(told);
  }
  mesh.count_rounds(1);
  const bool decided = decision_of(outcome, mesh);
  party.correlations().decided(decided);
  const std::uint64_t seen = decided ? 1 : 0;
  party.transcript().absorb(std::span(&seen, 1));
  return decided;
}

}  // namespace

bool decide(Session& session, const std::function<bool()>& at_rank_0, std::string_view reason) {
  session.note_decision(reason);
  return session.run(Decide(at_rank_0));
}

bool decide(Session& session, const std::function<bool(const PublicReader&)>& at_rank_0, std::string_view reason) {
  return decide(
      session, [&] { return at_rank_0(Inside::reader()); }, reason);
}

}  // namespace tacit::mpc
