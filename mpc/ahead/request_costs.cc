#include "mpc/ahead/request_costs.h"

namespace tacit::mpc {

MadeCost RequestCosts::note(const WordRequest& request) {
  const WordRequest kept = kept_.next(request);
  const PlannedTasks tasks = planned_tasks(kept, parties_, rank_, from_);
  add(kept, tasks);
  return LockStep::cost(*tasks);
}

MadeCost RequestCosts::note(const BitRequest& request) {
  const PlannedTasks tasks = planned_tasks(request, parties_, rank_, from_);
  add(request, tasks);
  return LockStep::cost(*tasks);
}

std::unique_ptr<RequestNotes> request_costs(int parties, int rank, CorrelationsFrom from) {
  return std::make_unique<RequestCosts>(parties, rank, from);
}

}  // namespace tacit::mpc
