// implied_by — lists secrets that several revealed numbers tell together. The plan, the account at the end of a run and
// the report show the list.
#pragma once

#include <string>
#include <vector>

#include "launcher/job/job.h"
#include "mpc/session/session.h"

namespace tacit::launcher {

// A sentence for each. The training loss is of standardised targets and an rmse in the targets' own unit: whoever sees
// both knows the deviation of the targets, which is the rmse divided by the root of the loss.
std::vector<std::string> implied_by(const std::vector<mpc::Reveal>& reveals, const Job& job);

}  // namespace tacit::launcher
