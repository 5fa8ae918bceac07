#include "mpc/made/planned_tasks.h"

#include <map>
#include <utility>

#include "mpc/made/making.h"
#include "mpc/made/public_part.h"

namespace tacit::mpc {

namespace {

template <typename Request>
PlannedTasks known_tasks(const Request& request, int parties, int rank, CorrelationsFrom from) {
  constexpr std::size_t kMostKept = 4096;
  thread_local std::map<std::vector<std::int64_t>, PlannedTasks> kept;
  std::vector<std::int64_t> name = public_part(request);
  name.insert(name.end(), {parties, rank, static_cast<std::int64_t>(from)});
  if (const auto known = kept.find(name); known != kept.end()) return known->second;
  if (kept.size() >= kMostKept) kept.clear();
  PairNetwork network(rank, parties);
  Workers workers;
  Making making(network, Nonce{}, workers, from);
  auto tasks = std::make_shared<const std::vector<LockStep::PlannedTask>>(making.plan(request));
  kept.emplace(std::move(name), tasks);
  return tasks;
}

}  // namespace

PlannedTasks planned_tasks(const WordRequest& request, int parties, int rank, CorrelationsFrom from) {
  return known_tasks(request, parties, rank, from);
}

PlannedTasks planned_tasks(const BitRequest& request, int parties, int rank, CorrelationsFrom from) {
  return known_tasks(request, parties, rank, from);
}

}  // namespace tacit::mpc
