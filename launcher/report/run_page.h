// The page of one run.
#pragma once

#include <string>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

std::string page_of(const RunAccount& run);

}  // namespace tacit::launcher
