// implied_by — lists secrets that follow from several revealed numbers together (leakage by
// combination). The plan, the account at the end of a run and the report show the list.
#pragma once

#include <string>
#include <vector>

#include "launcher/job/job.h"
#include "mpc/session/session.h"

namespace tacit::launcher {

// One sentence for each secret. The training loss is of standardised targets, and an rmse is in the
// targets' own unit. A rank that sees both can divide the rmse by the root of the loss, and obtains
// the deviation of the targets.
std::vector<std::string> implied_by(const std::vector<mpc::Reveal>& reveals, const Job& job);

}  // namespace tacit::launcher
