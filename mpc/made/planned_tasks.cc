#include "mpc/made/planned_tasks.h"

#include <map>
#include <utility>

#include "mpc/made/making.h"
#include "mpc/made/public_part.h"

namespace tacit::mpc {

namespace {

template <typename Request>
PlannedRequest known_request(const Request& request, int parties, int rank, CorrelationsFrom from) {
  constexpr std::size_t kMostKept = 4096;
  thread_local std::map<std::vector<std::int64_t>, PlannedRequest> kept;
  std::vector<std::int64_t> name = public_part(request);
  name.insert(name.end(), {parties, rank, static_cast<std::int64_t>(from)});
  if (const auto known = kept.find(name); known != kept.end()) return known->second;
  if (kept.size() >= kMostKept) kept.clear();
  PairNetwork network(rank, parties);
  Workers workers;
  Making making(network, Nonce{}, workers, from);
  auto tasks = std::make_shared<const std::vector<LockStep::PlannedTask>>(making.plan(request));
  const MadeCost cost = LockStep::cost(*tasks);
  return kept.emplace(std::move(name), PlannedRequest{std::move(tasks), cost}).first->second;
}

}  // namespace

PlannedRequest planned_request(const WordRequest& request, int parties, int rank, CorrelationsFrom from) {
  return known_request(request, parties, rank, from);
}

PlannedRequest planned_request(const BitRequest& request, int parties, int rank, CorrelationsFrom from) {
  return known_request(request, parties, rank, from);
}

PlannedTasks planned_tasks(const WordRequest& request, int parties, int rank, CorrelationsFrom from) {
  return known_request(request, parties, rank, from).tasks;
}

PlannedTasks planned_tasks(const BitRequest& request, int parties, int rank, CorrelationsFrom from) {
  return known_request(request, parties, rank, from).tasks;
}

}  // namespace tacit::mpc
