#include "gnn/privacy/privacy_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/privacy/renyi.h"
#include "net/error.h"

namespace tacit::gnn {

void check_plan(const PrivacyPlan& plan) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  if (plan.unit.empty() || plan.unit.size() > 20 || !std::all_of(plan.unit.begin(), plan.unit.end(), letter)) {
    throw ConfigError("a job's unit of privacy is a word of lower-case letters, for example \"record\"");
  }
  if (plan.adversaries.empty() || plan.adversaries.size() > kMostAdversaries ||
      plan.adversaries[0].observer != Observer::kOutsiders) {
    throw ConfigError(fmt::format("a job's privacy is counted for 1 to {} adversaries, beginning with the outsiders",
                                  kMostAdversaries));
  }
  if (plan.steps < 1 || plan.steps_per_epoch < 1) throw ConfigError("a job with privacy has at least one step");
  for (const Adversary& one : plan.adversaries) {
    check_mechanism({one.noise, one.rate, plan.steps, plan.failure});
    if (one.uses < 0 || (one.uses > 0 && one.sample_seen) || one.together < 0 || one.together > 1'000'000) {
      throw ConfigError("an adversary of a job has an impossible number of uses or of parties");
    }
  }
}

Mechanism mechanism_of(const PrivacyPlan& plan, const Adversary& adversary, std::int64_t steps) {
  const std::int64_t used = adversary.uses > 0 ? std::min(adversary.uses, steps) : steps;
  // If the sample is seen, an overflow only takes the record less often, and is no failure.
  return {adversary.noise,
          adversary.rate,
          used,
          adversary.sample_seen ? 0 : plan.failure,
          plan.unit == kUnitOfEdges ? kMostGridOfEdges : kMostGridOfRecords,
          adversary.sample_seen};
}

const Adversary& strongest(const PrivacyPlan& plan, std::int64_t steps, double delta) {
  const Adversary& first = plan.adversaries.front();
  const bool alike = std::all_of(plan.adversaries.begin(), plan.adversaries.end(), [&](const Adversary& one) {
    return one.rate == first.rate && one.uses == first.uses && one.sample_seen == first.sample_seen;
  });
  const auto by_noise = [](const Adversary& a, const Adversary& b) { return a.noise < b.noise; };
  if (alike) return *std::min_element(plan.adversaries.begin(), plan.adversaries.end(), by_noise);
  const auto epsilon = [&](const Adversary& one) {
    return epsilon_by_renyi(std::vector<Mechanism>{mechanism_of(plan, one, steps)}, delta);
  };
  const Adversary* most = &first;
  for (const Adversary& one : plan.adversaries) {
    if (epsilon(one) > epsilon(*most)) most = &one;
  }
  return *most;
}

}  // namespace tacit::gnn
