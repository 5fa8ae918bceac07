// PrivacyPlan — the settings of a job that the privacy account needs: public, and equal at every rank.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/privacy/accountant.h"
#include "gnn/privacy/adversary.h"

namespace tacit::gnn {

inline constexpr std::string_view kUnitOfEdges = "edge";

struct PrivacyPlan {
  std::string unit = "record";  // of privacy: "record", "edge" or "node"
  double noise = 0;             // the job's setting; each adversary faces a multiple of this noise
  std::int64_t steps = 0;       // from the beginning to the end of the training
  std::int64_t steps_per_epoch = 1;
  double failure = 0;  // probability that a step is not the sub-sampled mechanism, for example if a sample overflows
  std::vector<Adversary> adversaries;  // outsiders first
};

inline constexpr std::size_t kMostAdversaries = 8;

// Throws ConfigError if the accountant cannot count such a job.
void check_plan(const PrivacyPlan& plan);

// The mechanism that an adversary observes in `steps` steps of a session.
Mechanism mechanism_of(const PrivacyPlan& plan, const Adversary& adversary, std::int64_t steps);

// The adversary that learns most from `steps` steps, by Renyi divergences.
const Adversary& strongest(const PrivacyPlan& plan, std::int64_t steps, double delta);

}  // namespace tacit::gnn
