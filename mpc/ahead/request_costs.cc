#include "mpc/ahead/request_costs.h"

namespace tacit::mpc {

MadeCost RequestCosts::note(const WordRequest& request) {
  const WordRequest kept = kept_.next(request);
  const PlannedRequest planned = planned_request(kept, parties_, rank_, from_);
  add(kept, planned.tasks);
  return planned.cost;
}

MadeCost RequestCosts::note(const BitRequest& request) {
  const PlannedRequest planned = planned_request(request, parties_, rank_, from_);
  add(request, planned.tasks);
  return planned.cost;
}

std::unique_ptr<RequestNotes> request_costs(int parties, int rank, CorrelationsFrom from) {
  return std::make_unique<RequestCosts>(parties, rank, from);
}

}  // namespace tacit::mpc
