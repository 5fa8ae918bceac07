// BatchRule says when a batch of correlations is full (maker.h): by the memory that its tasks take while they are made, a public number
// that is equal at all parties. The maker and a plan use the same rule.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mpc/ot/lock_step.h"

namespace tacit::mpc {

class BatchRule {
 public:
  // The most, beside the requests of the last operation: all tasks of a batch run at once.
  static constexpr std::int64_t kMost = LockStep::kMostMemory;

  void add(std::int64_t memory) { memory_ += memory; }
  bool is_full() const { return memory_ >= limit_; }
  // The program waits for the first batch, and uses it while the second one is made. So the limit of a batch is at most twice the limit of
  // the batch before.
  void begin_next() {
    memory_ = 0;
    limit_ = std::min(2 * limit_, kMost);
  }

 private:
  static constexpr std::int64_t kFirst = std::int64_t{4} << 20;
  std::int64_t memory_ = 0;
  std::int64_t limit_ = kFirst;
};

}  // namespace tacit::mpc
