#include "launcher/plan/forecast.h"

#include <algorithm>
#include <chrono>

#include "gnn/run/openings.h"
#include "launcher/job/plans.h"
#include "mpc/kernels/matmul.h"
#include "mpc/session/party_session.h"
#include "net/tcp/inbox.h"

namespace tacit::launcher {

namespace {

// What a value costs a party, all kernels and the network's software together: about what was measured (a training of
// 300 nodes on 8 features, one of 2708 on 1433).
constexpr double kSecondsPerWord = 10e-9;
// Of memory, at most: the program, its libraries and the network's buffers; and how many words are there at once for
// each that was made.
constexpr std::int64_t kProgramBytes = 42 << 20, kDealerBytes = 14 << 20, kWordBytes = 8;
constexpr std::int64_t kCopiesOfData = 3, kCopiesOfAnEpoch = 2;
constexpr double kWorthSaying = 0.95;

// Of elements a second, on this machine.
double multiplication_speed() {
  constexpr std::int64_t kSide = 192;
  constexpr int kRuns = 5;
  mpc::Workers workers(1);
  const mpc::RingTensor a = mpc::RingTensor::zeros({kSide, kSide}, mpc::kWordBits);
  mpc::RingTensor out({kSide, kSide}, mpc::kWordBits);
  double least = 1;
  for (int run = 0; run < kRuns; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    mpc::matmul(a.view(), a.view(), mpc::Into::kSet, out, workers);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return static_cast<double>(kSide * kSide * kSide) / least;
}

class Forecaster {
 public:
  Forecaster(const Job& job, const gnn::DataAgreement& data) : plans_(plans_of(job)), data_(data) {
    plans_.training.epochs = std::min(plans_.training.epochs, kMostPlannedEpochs);
  }

  std::int64_t epochs() const { return plans_.training.epochs; }

  gnn::PlannedRun run_of(int parties, int rank, const net::AllReducePlan& openings) const {
    return gnn::planned_run(plans_.data, plans_.training, data_, {parties, rank, openings});
  }
  // Of few epochs: one is like another.
  gnn::PlannedRun short_run_of(int parties, int rank, const net::AllReducePlan& openings) const {
    gnn::TrainingPlan few = plans_.training;
    few.epochs = std::min<std::int64_t>(few.epochs, 4);
    return gnn::planned_run(plans_.data, few, data_, {parties, rank, openings});
  }

  // The slower of a party and the dealer, which runs ahead as long as its link carries more than parties need.
  double seconds_of(const gnn::PlannedRun::Step& step, const Link& link) const {
    const double computing = static_cast<double>(step.work.multiplications) / speed_ +
                             static_cast<double>(step.work.words) * kSecondsPerWord;
    const double party = computing + seconds(link, step.cost.rounds, step.cost.bytes);
    return std::max(party, seconds(link, 0, step.cost.dealt_bytes));
  }

  // Of the usual epoch, whatever the plan says of openings; where it has them measured, as they will be there.
  double epoch_seconds(int parties, gnn::Openings openings, const Link& link) const {
    const auto known = gnn::plan_of(openings, parties);
    const gnn::PlannedRun run = short_run_of(parties, 0, known ? *known : openings_for(link, parties));
    return seconds_of(run.usual_epoch(), link);
  }

  gnn::Openings openings() const { return plans_.training.openings; }

 private:
  Plans plans_;
  const gnn::DataAgreement& data_;
  double speed_ = multiplication_speed();
};

Forecast::OnLink on_link(const Forecaster& forecaster, const Link& link, int parties, const gnn::PlannedRun& run) {
  Forecast::OnLink made{link, forecaster.epoch_seconds(parties, forecaster.openings(), link), 0, {}, 0};
  made.all_seconds = forecaster.seconds_of(run.sharing, link) + forecaster.seconds_of(run.results, link);
  for (const gnn::PlannedRun::Step& epoch : run.epochs) made.all_seconds += forecaster.seconds_of(epoch, link);
  made.better_epoch_seconds = made.epoch_seconds;
  for (const auto openings : {gnn::Openings::kBySize, gnn::Openings::kDirect, gnn::Openings::kTwoPhase}) {
    const double other = forecaster.epoch_seconds(parties, openings, link);
    if (other >= kWorthSaying * made.epoch_seconds || other >= made.better_epoch_seconds) continue;
    made.better = openings;
    made.better_epoch_seconds = other;
  }
  return made;
}

}  // namespace

const gnn::PlannedRun& Forecast::busiest() const {
  return *std::max_element(ranks.begin(), ranks.end(), [](const gnn::PlannedRun& a, const gnn::PlannedRun& b) {
    return a.total.cost.bytes < b.total.cost.bytes;
  });
}

Forecast forecast(const Job& job, const gnn::DataAgreement& data, const std::vector<Link>& links,
                  const std::vector<int>& parties) {
  const Forecaster forecaster(job, data);
  const int own = static_cast<int>(job.parties);
  Forecast made;
  made.openings = gnn::plan_of(job.openings, own).value_or(net::AllReducePlan::unmeasured(own));
  made.epochs = forecaster.epochs();
  // Ranks of many parties differ by a few bytes, and a plan of each takes its time.
  constexpr int kMostRanks = 16;
  for (int rank = 0; rank < std::min(own, kMostRanks); ++rank) {
    made.ranks.push_back(forecaster.run_of(own, rank, made.openings));
  }
  const gnn::PlannedRun& busiest = made.busiest();
  const mpc::Work& shared = busiest.sharing.work;
  const mpc::Work& epoch = busiest.usual_epoch().work;
  const std::int64_t of_epoch = kCopiesOfAnEpoch * epoch.words * kWordBytes;
  // What is dealt ahead of its use waits at the parties, as far as they have room, then at the dealer.
  const std::int64_t dealt = busiest.total.cost.dealt_bytes;
  made.party_memory =
      kProgramBytes + kCopiesOfData * shared.words * kWordBytes + of_epoch + std::min(net::kMaxEarlyBytes, dealt / own);
  made.dealer_memory =
      kDealerBytes + shared.words * kWordBytes + of_epoch + std::min(mpc::SessionOptions().ahead_bytes, dealt);
  for (const Link& link : links) made.links.push_back(on_link(forecaster, link, own, busiest));
  for (const int n : parties) {
    const net::AllReducePlan openings = gnn::plan_of(job.openings, n).value_or(net::AllReducePlan::unmeasured(n));
    Forecast::OfParties of{n, {}, {}};
    for (int rank = 0; rank < std::min(n, 2); ++rank) {
      const mpc::Cost cost = forecaster.short_run_of(n, rank, openings).usual_epoch().cost;
      if (cost.bytes >= of.epoch.bytes) of.epoch = cost;
    }
    for (const Link& link : links) of.epoch_seconds.push_back(forecaster.epoch_seconds(n, job.openings, link));
    made.by_parties.push_back(std::move(of));
  }
  return made;
}

}  // namespace tacit::launcher
