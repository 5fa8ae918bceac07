// Forecast — what a job will cost: exactly in rounds and bytes, about in time and memory.
#pragma once

#include "gnn/run/planned_run.h"
#include "launcher/job/job.h"
#include "launcher/plan/memory_need.h"
#include "launcher/plan/planned_data.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

struct Forecast {
  // For so many parties, as they are told: of the one that sends most.
  struct OfParties {
    int parties = 0;
    mpc::Cost epoch;
    std::vector<double> epoch_seconds;  // by link
  };
  // On one link.
  struct OnLink {
    Link link;
    double epoch_seconds = 0, all_seconds = 0;
    // If another word for openings makes an epoch at least a twentieth shorter, the best, and how long it is then.
    std::optional<gnn::Openings> better;
    double better_epoch_seconds = 0;
  };

  net::AllReducePlan openings = net::AllReducePlan::unmeasured(2);
  std::vector<gnn::PlannedRun> ranks;  // parties, in order
  bool exact = true;  // rounds and bytes are those of a run: openings are known, and every epoch was planned
  MemoryNeed memory;
  std::vector<OnLink> links;
  std::vector<OfParties> by_parties;

  const gnn::PlannedRun& busiest() const;  // the party that sends most
};

// Steps of a rank's training that are planned one by one, about; what a longer one costs follows from them.
inline constexpr std::int64_t kMostPlannedSteps = 10'000;

// `threads`: that a rank computes on, on a machine like this.
Forecast forecast(const Job& job, const gnn::DataAgreement& data, const std::vector<Link>& links,
                  const std::vector<int>& parties, int threads = 1);

}  // namespace tacit::launcher
