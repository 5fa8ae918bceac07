// The page of one run.
#pragma once

#include <string>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

std::string page_of(const RunAccount& run);

// What of a run several pages tell.
std::string threat_model(const RunAccount& run);
std::string in_a_sentence(const RunAccount& run);  // "3 parties and a dealer; finished after 200 epochs; ..."

}  // namespace tacit::launcher
