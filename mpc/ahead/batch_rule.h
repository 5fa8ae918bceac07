// BatchRule says when a batch of correlations is full (maker.h): by the memory that its tasks take while they are made, and the transfers
// that are stocked up for them, public numbers that are equal at all parties. The maker and a plan use the same rule.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mpc/correlations/correlations.h"
#include "mpc/ot/ferret_set.h"
#include "mpc/ot/lock_step.h"

namespace tacit::mpc {

class BatchRule {
 public:
  // The most, beside the requests of the last operation: all tasks of a batch run at once, and there is room for the batch's masks, shares
  // and temporary words.
  static constexpr std::int64_t kMost = LockStep::kMostMemory - (std::int64_t{64} << 20);

  // The memory of an extension with transfers in stock, or of the transfers for the next one, in one direction with one peer (ferret.h).
  static constexpr std::int64_t kBytesOfExtension = 5 << 20;

  BatchRule(int parties, CorrelationsFrom from)
      : directions_(from == CorrelationsFrom::kAheadByFerret ? 2 * (parties - 1) : 0) {}

  void add(const LockStep::PlannedTask& task) {
    const MadeTrace& trace = *task.trace;
    memory_ += task.times * (trace.memory + directions_ * trace.transfers * kBytesOfExtension / kFerretSet.left());
  }
  bool is_full() const { return memory_ >= limit_; }
  // The program waits for the first batch, and uses it while the second one is made. So the limit of a batch is at most twice the limit of
  // the batch before.
  void begin_next() {
    memory_ = 0;
    limit_ = std::min(2 * limit_, kMost);
  }

 private:
  static constexpr std::int64_t kFirst = std::int64_t{4} << 20;
  const int directions_;  // with a stock of transfers
  std::int64_t memory_ = 0;
  std::int64_t limit_ = kFirst;
};

}  // namespace tacit::mpc
