#include "gnn/privacy/ledger_content.h"

#include <algorithm>

namespace tacit::gnn {

namespace {

const Adversary& listed(const PrivacyPlan& plan, Observer observer) {
  for (const Adversary& one : plan.adversaries) {
    if (one.observer == observer) return one;
  }
  return plan.adversaries.front();
}

template <typename Choose>
std::vector<Mechanism> charge(const LedgerContent& content, const Choose& choose) {
  const std::vector<std::int64_t> steps = content.charged_steps();
  std::vector<Mechanism> all;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PrivacyPlan& plan = content.sessions[i].plan;
    if (steps[i] > 0) all.push_back(mechanism_of(plan, choose(plan, steps[i]), steps[i]));
  }
  return merged(all);
}

}  // namespace

const LedgerSession* LedgerContent::find(const std::string& id) const {
  const auto found = std::find_if(sessions.rbegin(), sessions.rend(), [&](const auto& one) { return one.id == id; });
  return found == sessions.rend() ? nullptr : &*found;
}

bool LedgerContent::is_of(const LedgerSession& session) const {
  const auto known = [this](const std::string& digest) {
    return !digest.empty() && std::find(data.begin(), data.end(), digest) != data.end();
  };
  return data.empty() || known(session.data) || known(session.table);
}

void LedgerContent::add_data_of(const LedgerSession& session) {
  for (const std::string& digest : {session.data, session.table}) {
    if (digest.empty() || std::find(data.begin(), data.end(), digest) != data.end()) continue;
    data.push_back(digest);
  }
}

// A later session is charged before the session that it resumed.
std::vector<std::int64_t> LedgerContent::charged_steps() const {
  std::vector<std::int64_t> last(sessions.size(), -1);  // the last step in a revealed value; -1: no value contains any
  for (std::size_t i = sessions.size(); i-- > 0;) {
    const LedgerSession& one = sessions[i];
    for (const LedgerReveal& reveal : one.reveals) last[i] = std::max(last[i], reveal.step);
    if (one.from && last[i] >= 0) last[*one.from] = std::max(last[*one.from], one.from_step);
  }
  for (std::size_t i = 0; i < sessions.size(); ++i)
    last[i] = std::max<std::int64_t>(0, last[i] - sessions[i].from_step);
  return last;
}

std::size_t LedgerContent::first_of_job(std::size_t session) const {
  while (sessions[session].from) session = *sessions[session].from;
  return session;
}

std::vector<Mechanism> LedgerContent::charged(Observer observer) const {
  return charge(*this, [observer](const PrivacyPlan& plan, std::int64_t) { return listed(plan, observer); });
}

std::vector<Mechanism> LedgerContent::charged_at_most(double delta) const {
  return charge(*this, [delta](const PrivacyPlan& plan, std::int64_t steps) { return strongest(plan, steps, delta); });
}

}  // namespace tacit::gnn
