#include "mpc/session/plan_session.h"

#include <algorithm>

namespace tacit::mpc {

PlanSession::PlanSession(int owners, int parties, int rank, net::AllReducePlan openings, bool pairwise)
    : SessionOver(serial_, Times::kNone),
      owners_(owners),
      openings_(std::move(openings)),
      setting_{parties, rank, &openings_, pairwise} {
  TACIT_CHECK(owners >= 1 && rank >= 0 && rank < parties);
}

void PlanSession::set_step(std::string step) {
  words_of_[step_] = words_of(step_);
  step_ = std::move(step);
  before_step_ = work().words;
}

void PlanSession::perform(Operation& operation) {
  most_dealt_ = std::max(most_dealt_, operation.cost(setting_).dealt_bytes);
  SessionOver::perform(operation);
}

WordsOfSteps PlanSession::words_of(const std::string& step) const {
  const auto earlier = words_of_.find(step);
  WordsOfSteps words = earlier == words_of_.end() ? WordsOfSteps() : earlier->second;
  if (step != step_) return words;
  const std::int64_t now = work().words - before_step_;
  return {words.steps + 1, words.all + now, std::max(words.most, now)};
}

}  // namespace tacit::mpc
