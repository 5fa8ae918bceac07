// PlannedMaker states the costs of a maker's batches (maker.h) beside the bytes that the operations state: rounds, messages, and the
// extensions of transfers. PlannedMaker makes no correlation. It takes note of the requests of a planning session, and applies the
// maker's rules.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "mpc/ahead/batch_rule.h"
#include "mpc/ahead/request_costs.h"
#include "mpc/ot/ferret_ot.h"
#include "mpc/ot/lock_step.h"
#include "mpc/ot/soft_spoken_ot.h"

namespace tacit::mpc {

class PlannedMaker final : public RequestCosts {
 public:
  PlannedMaker(int parties, int rank, CorrelationsFrom from);

  void begin_operation() override;
  void begin_decision() override { make(); }

  MadeCost batches() override;
  std::int64_t most_memory() const override { return most_memory_; }

 private:
  void add(const WordRequest& request, const PlannedTasks& tasks) override;
  void add(const BitRequest& request, const PlannedTasks& tasks) override;
  template <typename Request>
  void add_tasks(const Request& request, const PlannedTasks& tasks);
  void make();
  MadeCost cost_of(std::vector<LockStep::PlannedTask> batch);

  // By the traces, which planned_tasks.h keeps for equal requests.
  struct Before {
    bool operator()(const std::vector<LockStep::PlannedTask>& a, const std::vector<LockStep::PlannedTask>& b) const;
  };

  PairNetwork network_;
  Workers workers_;
  SoftSpokenOt soft_spoken_;
  std::optional<FerretOt> ferret_;
  BatchRule batches_;
  std::int64_t requests_ = 0;
  std::vector<LockStep::PlannedTask> tasks_;
  std::vector<std::int64_t> transfers_of_;             // the sum of all tasks' transfers, by party
  std::int64_t running_ = 0, largest_ = 0, held_ = 0;  // bytes: of all tasks, of one, of the requests and shares
  std::int64_t most_memory_ = 0;
  MadeCost cost_;  // of all batches so far
  // The costs of the last batches: epochs make the same ones over and over.
  std::map<std::vector<LockStep::PlannedTask>, MadeCost, Before> known_;
};

}  // namespace tacit::mpc
