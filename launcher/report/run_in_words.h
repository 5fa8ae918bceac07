// Sentences about a whole run, for its page and for comparisons.
#pragma once

#include <string>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

// From whom the run protects the parties' data, and on which conditions.
std::string threat_model(const RunAccount& run);
std::string in_a_sentence(const RunAccount& run);  // "3 parties and a dealer · 200 epochs · ring of 2^64 ..."

}  // namespace tacit::launcher
