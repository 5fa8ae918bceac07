// The page of one run.
#pragma once

#include <string>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

std::string page_of(const RunAccount& run);

std::string threat_model(const RunAccount& run);
std::string in_a_sentence(const RunAccount& run);  // "3 parties and a dealer · 200 epochs · ring of 2^64 ..."

}  // namespace tacit::launcher
