// `tacit data sum-statistics`: the parties add up the statistics that `tacit data clean --statistics` makes of their
// tables. Each party sees the sums, with which it cleans its own table, and no other party's counts
// (gnn/clean/summed_statistics.h). With an epsilon, the sums have noise, and each party's privacy ledger takes the
// epsilon before anything is revealed.
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

// The verb at one rank, or for all parties in this process. Throws ConfigError if the job has [privacy] and the order
// no epsilon, and if the parties' rules or statistics differ.
Answer run_sum_of_statistics(const StatisticsOrder& order, const net::GetVariable& get);
Answer run_sum_of_all_statistics(const StatisticsOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
