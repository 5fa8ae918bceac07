#include "mpc/session/session.h"

#include <algorithm>
#include <utility>

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

bool PublicReader::seen(const Public& value) const { return Inside::seen(value); }
const Matrix& PublicReader::operator()(const Public& value) const { return Inside::value(value); }

// An operation in progress.
class Session::Call {
 public:
  Call(Session& session, std::string_view protocol, const Cost& cost)
      : session_(session),
        place_(session.profile_.begin_call(protocol, cost)),
        waited_(session.waited()),
        begun_(session.profile_.now()) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { session_.profile_.end_call(place_, session_.profile_.now() - begun_, session_.waited() - waited_); }

 private:
  Session& session_;
  const RunningProfile::Call place_;
  const Waited waited_;
  const RunningProfile::Clock::time_point begun_;
};

void Session::run_next(Operation& operation) {
  begin(++operation_);
  const CostSetting* setting = cost_setting();
  const Cost cost = setting == nullptr ? Cost() : operation.cost(*setting);
  stated_ += cost;
  {
    const Call call(*this, operation.name(), cost);
    perform(operation);
  }
  if (after_round_ && takes_round(operation)) std::exchange(after_round_, nullptr)();
}

void Session::after_next_round(std::function<void()> then) {
  TACIT_CHECK(then != nullptr && after_round_ == nullptr);
  after_round_ = std::move(then);
}

// Decides by the operation's cost at one fixed setting, since the answer must be the same at every rank, in the clear session,
// and in a plan for another number of parties.
bool Session::takes_round(const Operation& operation) const {
  static const net::AllReducePlan plan({{0, net::AllReduce::kDirect}});
  constexpr int kLeast = 2;  // a party alone counts no rounds
  return operation.cost({.parties = std::max(parties(), kLeast), .rank = 0, .plan = &plan}).rounds > 0;
}

std::vector<ProtocolCost> Session::stated_by_protocol() const {
  return cost_setting() == nullptr ? std::vector<ProtocolCost>() : profile().by_protocol();
}

void Session::begin_part(std::string_view part) {
  profile_.begin_part(part);
  set_step(turn_.empty() ? std::string(part) : turn_ + ", " + std::string(part));
}

void Session::note_reveal(std::string_view reason, To to, std::int64_t elements) {
  TACIT_CHECK(to.party >= -1 && to.party < parties());
  TACIT_CHECK(!reason.empty());
  const auto known = std::find_if(reveals_.begin(), reveals_.end(),
                                  [&](const Reveal& line) { return line.reason == reason && line.to == to; });
  Reveal& line = known != reveals_.end() ? *known : reveals_.emplace_back(Reveal{std::string(reason), to});
  ++line.count;
  line.elements += elements;
  for (const auto& note : notes_) note(reveals_);
}

void Session::note_decision(std::string_view reason) {
  const auto known =
      std::find_if(decisions_.begin(), decisions_.end(), [&](const Decision& line) { return line.reason == reason; });
  Decision& line = known != decisions_.end() ? *known : decisions_.emplace_back(Decision{std::string(reason)});
  ++line.count;
}

void Session::output(const std::function<void(const PublicReader&)>& use) { use(Inside::reader()); }

}  // namespace tacit::mpc
