// MemoryNeed — about how much memory a job takes at a rank, and whether this machine has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gnn/run/planned_run.h"
#include "launcher/job/job.h"
#include "launcher/plan/memory_at_hand.h"

namespace tacit::launcher {

// Memory that this machine must have.
struct NeededMemory {
  std::int64_t rank = 0;   // of one rank
  std::int64_t here = 0;   // of the job's ranks on this machine together
  std::int64_t ranks = 1;  // so many
};

struct MemoryNeed {
  std::int64_t party = 0, dealer = 0;

  // Where all ranks are on this machine, and where only this one is: a party or the dealer.
  NeededMemory here(int parties, bool all_here, bool is_party) const;
};

// By a plan of one party.
MemoryNeed memory_need(const gnn::PlannedRun& run, int parties);
// The same, planned here from the sizes of the data.
MemoryNeed memory_need(const Job& job, const gnn::DataAgreement& sizes);

// One sentence if the machine lacks it: how much is needed and at hand, and what to do. "" where the machine has it, or
// does not say what it has.
std::string lack_of_memory(const NeededMemory& need, const MemoryAtHand& have);

inline constexpr const char* kMemoryUncheckedFlag = "--memory-unchecked";
inline constexpr const char* kMemoryUncheckedHelp =
    "train even if this machine seems to have less memory than the job needs";

}  // namespace tacit::launcher
