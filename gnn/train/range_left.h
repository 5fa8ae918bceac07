// RangeLeft — a value left the range that the plan declares for it, so that what was computed since the last clean
// audit may be wrong. Ends the job at every rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gnn/arithmetic/watched.h"
#include "gnn/plan/training_plan.h"
#include "net/error.h"

namespace tacit::gnn {

class RangeLeft : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// Of the account of reveals.
inline constexpr const char* kAuditReason = "range watch: whether a declared range was left";
inline constexpr const char* kAuditGroupReason = "range watch: which range was left";

struct AuditHit {
  std::vector<Watched> groups;             // in the order of Watched; at least one
  std::int64_t epoch = 0;                  // 0: before the first
  std::int64_t clean_until = 0;            // the epoch of the last clean audit; 0: there was none
  std::optional<std::int64_t> checkpoint;  // the newest that was kept after a clean audit
};

// One sentence: which range, in which epoch, what to set, and the checkpoint.
std::string sentence_of(const AuditHit& hit, const TrainingPlan& plan);

}  // namespace tacit::gnn
