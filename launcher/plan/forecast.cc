#include "launcher/plan/forecast.h"

#include <algorithm>

#include "gnn/run/openings.h"
#include "gnn/train/batches.h"
#include "launcher/job/job.h"
#include "launcher/plan/multiplication_speed.h"

namespace tacit::launcher {

namespace {

// The time that a party needs for a value, all kernels and network software together. About the
// measured time (trainings of 300 nodes with 8 features, and of 2708 nodes with 1433).
constexpr double kSecondsPerWord = 10e-9;
// The time that a party needs to make correlations, for each byte that it sends to make them. Measured with the demo and two
// parties: 3.1 and 1.9 s of CPU time for 154 and 282 MB.
constexpr double kSecondsPerMadeByte = 20e-9, kSecondsPerMadeByteOfSoftSpoken = 7e-9;
constexpr double kWorthSaying = 0.95;

class Forecaster {
 public:
  Forecaster(const Job& job, const gnn::DataAgreement& data, int threads)
      : plans_(job), data_(data), own_(static_cast<int>(job.parties)), speed_(multiplication_speed(threads)) {}

  // The job's own run at a rank.
  gnn::PlannedRun run_of(int rank, const net::AllReducePlan& openings) const {
    return gnn::planned_run(plans_.data, plans_.training, data_, {own_, rank, openings, kMostPlannedSteps});
  }
  // A run of other parties, or with other openings: fewer epochs, but enough to tell the usual epoch from epochs with an evaluation.
  gnn::PlannedRun short_run_of(int parties, int rank, const net::AllReducePlan& openings) const {
    const gnn::TrainingPlan& training = plans_.training;
    constexpr std::int64_t kEpochsOfOthers = 6, kStepsOfOthers = 500;
    const std::int64_t batches = std::ssize(gnn::batches_of(data_.counts.train, training.batch, training.seed));
    std::int64_t period = 0;
    for (const gnn::Revealed& what : training.metrics) period = std::max(period, gnn::period_of(training, what));
    const std::int64_t enough = std::max(kEpochsOfOthers, 2 * std::min(period, kStepsOfOthers) + 2) * batches;
    return gnn::planned_run(plans_.data, training, data_, {parties, rank, openings, std::min(kStepsOfOthers, enough)});
  }
  const gnn::PlannedRun::Step& usual_epoch(int parties, int rank, const net::AllReducePlan& openings) {
    return kept(parties, rank, openings).step;
  }
  // The leakage of all epochs.
  std::int64_t leakage(int parties, const net::AllReducePlan& openings) { return kept(parties, 0, openings).leakage; }
  // Stores a result that is known already.
  void keep(int parties, int rank, const net::AllReducePlan& openings, const gnn::PlannedRun& run) {
    kept_.push_back({parties, rank, openings, run.usual_epoch(), run.total.cost.made_leakage});
  }

  double seconds_of(const gnn::PlannedRun::Step& step, const Link& link) const {
    return launcher::seconds_of(step, link, speed_, plans_.training.correlations_from());
  }

  // The time of a usual epoch with these openings instead of the job's. Measured openings are planned
  // from the link.
  double epoch_seconds(int parties, gnn::Openings openings, const Link& link) {
    const auto known = gnn::plan_of(openings, parties);
    return seconds_of(usual_epoch(parties, 0, known ? *known : openings_for(link, parties)), link);
  }

  double epoch_seconds_on_cards(int parties, const Link& link) {
    const auto known = gnn::plan_of(openings(), parties);
    return launcher::seconds_of(usual_epoch(parties, 0, known ? *known : openings_for(link, parties)), link, kCardSpeed,
                                plans_.training.correlations_from());
  }

  gnn::Openings openings() const { return plans_.training.openings; }

 private:
  struct Kept {
    int parties;
    int rank;
    net::AllReducePlan openings;
    gnn::PlannedRun::Step step;  // a usual epoch
    std::int64_t leakage;
  };

  const Kept& kept(int parties, int rank, const net::AllReducePlan& openings) {
    for (const Kept& one : kept_) {
      if (one.parties == parties && one.rank == rank && one.openings == openings) return one;
    }
    keep(parties, rank, openings, short_run_of(parties, rank, openings));
    return kept_.back();
  }

  gnn::Plans plans_;
  const gnn::DataAgreement& data_;
  const int own_;           // parties
  std::vector<Kept> kept_;  // results of the plans so far
  double speed_;            // multiply-adds a second
};

Forecast::OnLink on_link(Forecaster& forecaster, const Link& link, int parties, const gnn::PlannedRun& run) {
  Forecast::OnLink made{link, forecaster.epoch_seconds(parties, forecaster.openings(), link), 0, {}, 0, 0};
  made.card_epoch_seconds = forecaster.epoch_seconds_on_cards(parties, link);
  made.all_seconds = forecaster.seconds_of(run.sharing, link) + forecaster.seconds_of(run.results, link);
  for (const gnn::PlannedRun::Step& epoch : run.epochs) made.all_seconds += forecaster.seconds_of(epoch, link);
  made.all_seconds += forecaster.seconds_of(run.left_out.cost, link);
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

double seconds_of(const gnn::PlannedRun::Step& step, const Link& link, double speed, mpc::CorrelationsFrom from) {
  const double computing =
      static_cast<double>(step.work.multiplications) / speed + static_cast<double>(step.work.words) * kSecondsPerWord;
  const mpc::Cost& cost = step.cost;
  const double party = computing + seconds(link, cost.rounds - cost.made_rounds, cost.bytes - cost.made_bytes);
  // Correlations are dealt or made while the party computes.
  const double each =
      from == mpc::CorrelationsFrom::kAheadBySoftSpoken ? kSecondsPerMadeByteOfSoftSpoken : kSecondsPerMadeByte;
  const double making = static_cast<double>(cost.made_bytes) * each + seconds(link, cost.made_rounds, cost.made_bytes);
  return std::max({party, making, seconds(link, 0, cost.bytes), seconds(link, 0, cost.dealt_bytes)});
}

bool Forecast::OnLink::card_helps() const { return card_epoch_seconds < kWorthSaying * epoch_seconds; }

const gnn::PlannedRun& Forecast::busiest() const {
  return *std::max_element(ranks.begin(), ranks.end(), [](const gnn::PlannedRun& a, const gnn::PlannedRun& b) {
    return a.total.cost.bytes < b.total.cost.bytes;
  });
}

Forecast forecast(const Job& job, const gnn::DataAgreement& data, const std::vector<Link>& links,
                  const std::vector<int>& parties, int threads) {
  Forecaster forecaster(job, data, threads);
  const int own = static_cast<int>(job.parties);
  Forecast made;
  made.openings = gnn::plan_of(job.training.openings, own).value_or(net::AllReducePlan::unmeasured(own));
  // The ranks of a job with many parties differ by a few bytes, and each plan takes time.
  constexpr int kMostRanks = 16;
  for (int rank = 0; rank < std::min(own, kMostRanks); ++rank) {
    made.ranks.push_back(forecaster.run_of(rank, made.openings));
    forecaster.keep(own, rank, made.openings, made.ranks.back());
  }
  const gnn::PlannedRun& busiest = made.busiest();
  // Adam's first steps take more at a rate that a plateau has lowered, which no plan knows.
  const bool varies = job.training.plateau && std::holds_alternative<gnn::AdamOptions>(job.training.optimiser);
  made.exact = job.training.openings != gnn::Openings::kMeasured && !busiest.left_out.anything() && !varies;
  made.memory = memory_need(busiest, own, job.helpers() > 0);
  for (const Link& link : links) made.links.push_back(on_link(forecaster, link, own, busiest));
  for (const int n : parties) {
    const net::AllReducePlan openings =
        gnn::plan_of(job.training.openings, n).value_or(net::AllReducePlan::unmeasured(n));
    Forecast::OfParties of{n, {}, forecaster.leakage(n, openings), {}};
    for (int rank = 0; rank < std::min(n, 2); ++rank) {
      const mpc::Cost& cost = forecaster.usual_epoch(n, rank, openings).cost;
      if (cost.bytes >= of.epoch.bytes) of.epoch = cost;
    }
    if (n == own) of.epoch = busiest.usual_epoch().cost;
    for (const Link& link : links) of.epoch_seconds.push_back(forecaster.epoch_seconds(n, job.training.openings, link));
    made.by_parties.push_back(std::move(of));
  }
  return made;
}

}  // namespace tacit::launcher
