// Compares a session with the budget of a ledger, before the session begins.
#pragma once

#include <string>

#include "gnn/privacy/ledger_content.h"

namespace tacit::gnn {

// The epsilon of the strongest adversary, before a session and at its end.
struct Charge {
  Epsilon before, after;
};

// The charge if the session `next` reveals its last step, at the budget's delta (without a budget: at kUsualDelta). The
// data's owner allows the budget: "rank 1". Throws ConfigError if the charge exceeds the budget. The message states the
// number of epochs and the noise that would fit.
inline constexpr double kUsualDelta = 1e-6;
Charge charge_within_budget(const LedgerContent& content, const LedgerSession& next, const std::string& owner);

// "1.31", and more decimals if it would look like `other`; "infinite".
std::string epsilon_text(double epsilon, double other = -1);

}  // namespace tacit::gnn
