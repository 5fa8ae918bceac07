// A rank's account as JSON, for programs: what the page of a run tells of it, but for what figures tell.
#pragma once

#include "launcher/report/rank_account.h"

namespace tacit::launcher {

Json json_of(const RankAccount& account);

}  // namespace tacit::launcher
