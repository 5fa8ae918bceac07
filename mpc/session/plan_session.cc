#include "mpc/session/plan_session.h"

#include <algorithm>

namespace tacit::mpc {

PlanSession::PlanSession(int owners, int parties, int rank, net::AllReducePlan openings, CorrelationsFrom from)
    : SessionOver(serial_, Times::kNone),
      owners_(owners),
      openings_(std::move(openings)),
      maker_(is_ahead(from) ? planned_maker(parties, rank, from) : nullptr),
      setting_{parties, rank, &openings_, from, maker_.get()} {
  TACIT_CHECK(owners >= 1 && rank >= 0 && rank < parties);
}

PlanSession::~PlanSession() = default;

Cost PlanSession::making() {
  if (maker_ == nullptr) return {};
  const MadeCost batches = maker_->batches();
  return {.rounds = batches.rounds,
          .bytes = batches.bytes,
          .messages = batches.messages,
          .made_rounds = batches.rounds,
          .made_bytes = batches.bytes};
}

std::int64_t PlanSession::memory_of_maker() const { return maker_ ? maker_->most_memory() : 0; }

void PlanSession::begin(std::int64_t operation) {
  if (maker_) maker_->begin_operation();
  dealt_before_ = stated().dealt_bytes;
  SessionOver::begin(operation);
}

void PlanSession::set_step(std::string step) {
  words_of_[step_] = words_of(step_);
  step_ = std::move(step);
  before_step_ = work().words;
}

void PlanSession::perform(Operation& operation) {
  most_dealt_ = std::max(most_dealt_, stated().dealt_bytes - dealt_before_);
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
