// A small job for the tests of the ledger.
#pragma once

#include <string>

#include "gnn/privacy/ledger_content.h"

namespace tacit::gnn {

// 10 epochs of 10 steps at three parties.
inline PrivacyPlan sample_plan(double noise = 2) {
  PrivacyPlan plan;
  plan.noise = noise;
  plan.steps = 100;
  plan.steps_per_epoch = 10;
  plan.adversaries = adversaries_of(NoiseFrom::kBoth, 3, 2, noise, .05, true);
  return plan;
}

// 64 digits.
inline std::string sample_digest(char digit) { return std::string(64, digit); }

}  // namespace tacit::gnn
