// RangeLeft — an error for a value that left its declared range. Results since the last clean audit
// may be wrong, so the error ends the job at every rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gnn/arithmetic/watched.h"
#include "gnn/plan/training_plan.h"
#include "mpc/levels/range_audit.h"
#include "net/error.h"

namespace tacit::gnn {

class RangeLeft : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// Reasons in the account of reveals.
inline constexpr const char* kAuditReason = "range watch: whether a declared range was left";
inline constexpr const char* kAuditGroupReason = "range watch: which range was left";

struct AuditHit {
  std::vector<Watched> groups;             // in the order of Watched; at least one
  std::int64_t epoch = 0;                  // 0: before the first epoch
  std::int64_t clean_until = 0;            // epoch of the last clean audit; 0: no audit was clean
  std::optional<std::int64_t> checkpoint;  // epoch of the newest checkpoint, kept after a clean audit
};

// One sentence: the range, the epoch, the setting to change with a value, and the checkpoint.
std::string sentence_of(const AuditHit& hit, const TrainingPlan& plan);

// The same for a prediction: the data are unlike the training's data.
std::string sentence_of_prediction(const std::vector<Watched>& groups, const TrainingPlan& plan);

// The groups in which a value left its range since the last audit. An empty list reveals nothing else to the parties. After a
// hit, the parties open which groups left their ranges, and the caller must end the job. One round, and one more after a hit.
// Always empty at the dealer.
std::vector<Watched> groups_that_left(Arithmetic& arithmetic, mpc::RangeAudit& audit);

// The same in two calls: the answer travels beside the opening after the first call (mpc/protocols/late_reveal.h). A round
// less.
mpc::LateReveal ask_for_groups_that_left(Arithmetic& arithmetic, mpc::RangeAudit& audit);
std::vector<Watched> groups_that_left(mpc::Session& session, mpc::RangeAudit& audit, mpc::LateReveal answer);

}  // namespace tacit::gnn
