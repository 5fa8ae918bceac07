// `tacit data sum-statistics`: the parties add up what `tacit data clean --statistics` counted in their tables. Each sees the
// sums, with which it cleans its own table, and no party's counts (gnn/clean/summed_statistics.h). With an epsilon, the sums have
// noise, and each party's privacy ledger takes the epsilon before anything is revealed.
#pragma once

#include <optional>
#include <string>

#include "launcher/run/errand.h"

namespace tacit::launcher {

struct StatisticsOrder {
  ErrandOrder errand;
  std::string rules, statistics, out;    // files; {rank} in a name stands for the number of the rank
  bool force = false;                    // replaces `out`
  std::optional<double> epsilon, delta;  // add noise; without `delta`, the job's [privacy] states it
  std::string ledger;                    // without it, the job's [privacy] names the ledger
};

// As one rank, or as all parties. Throws ConfigError for a job with [privacy] without an epsilon here, and for rules or
// statistics that differ.
Answer run_sum_of_statistics(const StatisticsOrder& order, const net::GetVariable& get);
Answer run_sum_of_all_statistics(const StatisticsOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
