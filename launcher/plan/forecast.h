// Forecast — the cost of a job: exact rounds and bytes, approximate time and memory.
#pragma once

#include "gnn/run/planned_run.h"
#include "launcher/job/job.h"
#include "launcher/plan/memory_need.h"
#include "launcher/plan/other_adjacency.h"
#include "launcher/plan/planned_data.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

struct Forecast {
  // The forecast for a number of parties. The bytes are the most that any party sends.
  struct OfParties {
    int parties = 0;
    mpc::Cost epoch;
    std::int64_t leakage = 0;           // all epochs together, without a dealer (mpc/ot/leakage_units.h)
    std::vector<double> epoch_seconds;  // by link
  };
  // The forecast for one link.
  struct OnLink {
    Link link;
    double epoch_seconds = 0, all_seconds = 0;
    // The best setting for openings, with its time for an epoch, if it saves at least a twentieth.
    std::optional<gnn::Openings> better;
    double better_epoch_seconds = 0;
    // An estimate of an epoch with the products of secret matrices on a card (GPU) at each rank.
    double card_epoch_seconds = 0;

    bool card_helps() const;  // a card saves at least a twentieth of an epoch
  };

  net::AllReducePlan openings = net::AllReducePlan::unmeasured(2);
  std::vector<gnn::PlannedRun> ranks;  // the parties, in order
  bool exact = true;  // rounds and bytes equal a run's: the openings are known, and every epoch was planned
  MemoryNeed memory;
  std::vector<OnLink> links;
  std::vector<OfParties> by_parties;
  std::optional<OtherAdjacency> other_adjacency;  // if it is cheaper

  const gnn::PlannedRun& busiest() const;  // the party that sends most
};

// About the number of training steps that are planned one by one. The cost of further steps is
// extrapolated.
inline constexpr std::int64_t kMostPlannedSteps = 10'000;

// About the time of a step on a link: the slower of a party and the dealer. The dealer runs ahead, as long as its link
// carries more bytes than the parties need. Without a dealer, the parties make correlations ahead, too. `speed`: multiply-adds
// a second.
double seconds_of(const gnn::PlannedRun::Step& step, const Link& link, double speed, mpc::CorrelationsFrom from);

// `threads`: the threads of a rank, on a machine like this.
Forecast forecast(const Job& job, const gnn::DataAgreement& data, const std::vector<Link>& links,
                  const std::vector<int>& parties, int threads = 1);

}  // namespace tacit::launcher
