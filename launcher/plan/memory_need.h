// MemoryNeed — the approximate memory that a job takes at a rank, compared with this machine's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gnn/run/planned_prediction.h"
#include "gnn/run/planned_run.h"
#include "launcher/job/job.h"
#include "launcher/plan/memory_at_hand.h"

namespace tacit::launcher {

// Memory that this machine must have.
struct NeededMemory {
  std::int64_t rank = 0;   // for one rank
  std::int64_t here = 0;   // for the job's ranks on this machine together
  std::int64_t ranks = 1;  // number of ranks on this machine
};

struct MemoryNeed {
  std::int64_t party = 0, dealer = 0;  // dealer: 0 if the job has none
  // Bytes on a device: `stays` for masked values that stay for the whole run, `most` with all values of the largest
  // step.
  struct OnDevice {
    std::int64_t stays = 0, most = 0;
  };
  OnDevice party_on_device = {}, dealer_on_device = {};

  // The need of this machine, with all ranks on it or (`all_here` false) with one rank: a party or
  // the dealer.
  NeededMemory here(int parties, bool all_here, bool is_party) const;
};

// The need by the plan of one party. `dealer`: the job has one.
MemoryNeed memory_need(const gnn::PlannedRun& run, int parties, bool dealer = true);
MemoryNeed memory_need(const gnn::PlannedPrediction& prediction, int parties, bool dealer = true);
// The need by the sizes of the data; makes a plan for it.
MemoryNeed memory_need(const Job& job, const gnn::DataAgreement& sizes);

inline constexpr std::string_view kSmallerBatch = "set a smaller training.batch";
// The first thing to try with a job that needs too much memory.
std::string_view memory_remedy(const gnn::DataPlan& data);

// One sentence if the machine has too little memory: the need, the memory at hand, the remedy. "" if the machine has
// enough, or does not say how much it has.
std::string lack_of_memory(const NeededMemory& need, const MemoryAtHand& have, std::string_view remedy = kSmallerBatch);

inline constexpr const char* kMemoryUncheckedFlag = "--memory-unchecked";
inline constexpr const char* kMemoryUncheckedHelp =
    "train even if this machine seems to have less memory than the job needs";

}  // namespace tacit::launcher
