// The page that compares several runs: a line and a column for each, or for all seeds of one job together.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

inline constexpr std::size_t kMostCompared = 16;

// A distinct word for each run: the end of its folder's path.
std::vector<std::string> labels_of(const std::vector<std::string>& folders);

std::string page_of(const std::vector<RunAccount>& runs);

}  // namespace tacit::launcher
