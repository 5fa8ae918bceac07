#include "bench/tables/data_parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

#include "bench/tables/cleaned_census.h"
#include "bench/tables/rank_figures.h"
#include "bench/tables/records_job.h"
#include "gnn/graph/rows.h"
#include "launcher/report/measures.h"
#include "launcher/report/quantity.h"
#include "launcher/settings/threads.h"

namespace tacit::launcher {

namespace {

using namespace figure_name;

constexpr double kClipOfLayouts = 3, kNoiseOfLayouts = 0.9, kDeltaOfLayouts = 1e-6;
constexpr Layout kOneWorker{1, 1};
constexpr std::string_view kStepPart = "step", kOpening = "noisy sum";  // in the profile of an AggregateTrainer

// Seconds of each epoch at the party that took longest.
std::vector<double> epoch_times(const RunAccount& run) {
  std::map<std::int64_t, double> longest;
  for (const RankAccount& rank : run.ranks) {
    for (const auto& [number, epoch] : rank.epochs) {
      longest[number] = std::max(longest[number], epoch.usage.seconds);
    }
  }
  std::vector<double> times;
  for (const auto& [number, seconds] : longest) times.push_back(seconds);
  return times;
}

// The part of the epochs' time that a rank waits in the one opening of each step. While numbers travel, the rank
// makes the next ones, and this time does not count. nullopt: the rank's profile has no time.
std::optional<double> opening_share(const RankAccount& rank) {
  if (!rank.profile) return std::nullopt;
  double all = 0, opening = 0;
  for (const auto* parts : {&rank.profile->first_epoch, &rank.profile->parts}) {
    for (const ToldProfile::Part& part : *parts) {
      all += part.time.seconds;
      if (part.part != kStepPart) continue;
      for (const ToldProfile::Protocol& protocol : part.protocols) {
        if (protocol.protocol == kOpening) opening += protocol.time.waited_for_parties;
      }
    }
  }
  return all > 0 ? std::optional(opening / all) : std::nullopt;
}

std::int64_t count_of(const std::optional<gnn::NodeMask>& mask) { return std::ssize(gnn::rows_where(mask)); }

class DataParallel {
 public:
  DataParallel(Trials& trials, const DataParallelOptions& options, const Prices& prices, const std::string& command,
               Console& console)
      : trials_(trials), options_(options), prices_(prices), console_(console), made_("data-parallel", command) {}

  Measurements take() {
    for (const Layout& layout : options_.layouts) prices_.of_an_hour(layout);  // throws if a price is missing
    Table& table =
        made_.table("layouts",
                    "Parties x threads of each. Times are the slowest party's; the all-reduce is the wait for the "
                    "other parties in the opening of each step's noisy sum, the mean of all parties; bytes are the "
                    "most that a party sends.");
    for (const Layout& layout : options_.layouts) table.add({{"layout", layout.text()}});
    const ScratchFolder folder("tacit-bench");
    for (int seed = 1; seed <= options_.seeds; ++seed) {
      const gnn::GraphData whole = cleaned_census({options_.rows, static_cast<std::uint64_t>(seed)}, folder);
      if (seed == 1) note_data(whole);
      std::vector<double> means;
      for (std::size_t i = 0; i < options_.layouts.size(); ++i) {
        means.push_back(train(options_.layouts[i], seed, whole, table.rows[i]));
      }
      add_speed_ups(means, table);
    }
    note_layouts();
    return std::move(made_);
  }

 private:
  // Returns the mean time of an epoch.
  double train(const Layout& layout, int seed, const gnn::GraphData& whole, Row& row) {
    Job job = records_job(layout.parties);
    make_aggregate(job, kNoiseOfLayouts, kDeltaOfLayouts);
    job.training.privacy->clip = kClipOfLayouts;
    job.training.batch = options_.batch;
    job.training.epochs = options_.epochs;
    job.training.rate.initial = options_.rate;
    job.training.seed = static_cast<std::uint64_t>(seed);
    const RunAccount run = trials_.run(fmt::format("data-parallel-{}-{}", layout.text(), seed), job, whole,
                                       options_.emulated, layout.threads);
    const double mean = add_figures_of(run, layout, whole, row);
    console_.say(fmt::format("data-parallel: {}, seed {} of {}: {} per epoch", layout.text(), seed, options_.seeds,
                             text_of(Quantity::kSeconds, mean)));
    return mean;
  }

  double add_figures_of(const RunAccount& run, const Layout& layout, const gnn::GraphData& whole, Row& row) const {
    const std::vector<double> times = epoch_times(run);
    TACIT_CHECK(!times.empty() && !run.ranks.empty());
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    row.figure("longest epoch", "s").add(*std::max_element(times.begin(), times.end()));
    row.figure(kEpochTime, "s").add(mean);
    row.figure("shortest epoch", "s").add(*std::min_element(times.begin(), times.end()));
    if (mean > 0) row.figure("records per second", "").add(static_cast<double>(count_of(whole.train_mask)) / mean);
    if (has_one_worker()) row.figure("speed-up", "");  // makes the column here, beside the times
    if (const auto accuracy = result_of_reading(run.teller(), "test accuracy")) {
      row.figure("test accuracy", "%").add(100 * *accuracy);
    }
    double share = 0, sent = 0, epsilon = 0, seconds = 0;
    for (const RankAccount& rank : run.ranks) {
      share += opening_share(rank).value_or(0) / static_cast<double>(run.ranks.size());
      if (rank.measured) sent = std::max(sent, static_cast<double>(rank.measured->total.wire_sent));
      if (rank.privacy) {
        for (const ToldAdversary& adversary : rank.privacy->adversaries) epsilon = std::max(epsilon, adversary.epsilon);
      }
      seconds = std::max(seconds, rank.usage.seconds);
    }
    row.figure("all-reduce", "%").add(100 * share);
    row.figure("sent per epoch", "MB").add(sent / static_cast<double>(times.size()) / 1e6);
    row.figure("epsilon", "").add(epsilon);
    row.figure(kWallClock, "s").add(seconds);
    const double hour = prices_.of_an_hour(layout);
    row.figure("price of an hour", prices_.currency()).add(hour);
    constexpr double kSecondsOfAnHour = 3600;
    row.figure("price", prices_.currency()).add(hour * seconds / kSecondsOfAnHour);
    return mean;
  }

  bool has_one_worker() const {
    return std::find(options_.layouts.begin(), options_.layouts.end(), kOneWorker) != options_.layouts.end();
  }

  // Pairs of trainings with the same seed.
  void add_speed_ups(const std::vector<double>& means, Table& table) const {
    const auto base = std::find(options_.layouts.begin(), options_.layouts.end(), kOneWorker);
    if (base == options_.layouts.end()) return;
    const double one = means[static_cast<std::size_t>(base - options_.layouts.begin())];
    for (std::size_t i = 0; i < means.size(); ++i) {
      if (means[i] > 0) table.rows[i].figure("speed-up", "").add(one / means[i]);
    }
  }

  void note_data(const gnn::GraphData& whole) {
    made_.note(fmt::format(
        "{} made census records, {} after cleaning (seed 1), {} to train on; 9-50-1, ReLU, logistic; "
        "overall batch {}, epochs {}, rate {:g}, clip {:g}, noise {:g}, delta {:g}; the best possible accuracy is "
        "{:.1f} %",
        options_.rows, whole.nodes, count_of(whole.train_mask), options_.batch, options_.epochs, options_.rate,
        kClipOfLayouts, kNoiseOfLayouts, kDeltaOfLayouts, 100 * gnn::census_chances().best_cleaned));
  }

  void note_layouts() {
    made_.note(
        "a party is a process; its threads add up clipped gradients in the clear, under one noise. Parties open the "
        "sum of their gradients and noises in one round of each step, over TLS. Each party's noise protects its "
        "records from all others together: the noise of n parties is sqrt(n) times one party's, with any number of "
        "threads");
    if (options_.here) {
      note_this_machine();
    } else {
      made_.note("each party is on a host of its own, and the link is the network of the hosts");
    }
    const auto threads = [](const Layout& layout) { return layout.threads > 1; };
    if (std::any_of(options_.layouts.begin(), options_.layouts.end(), threads)) {
      made_.note(
          "a party's threads share whole blocks of records, and one thread draws the noise: steps of a few hundred "
          "records gain nothing from more threads");
    }
    made_.note(
        "time in the all-reduce is the wait for the other parties' numbers, without the noise and the numbers that a "
        "party makes meanwhile");
    made_.note(
        fmt::format("epsilon is for one record against the worst adversary, after the training; price: the whole time "
                    "of the process that takes longest, at {}",
                    prices_.origin()));
    if (!has_one_worker()) made_.note("no speed-up is shown: the layouts lack 1x1");
  }

  void note_this_machine() {
    made_.note(
        options_.emulated.empty()
            ? std::string("all parties are on this machine, and their links are loopback")
            : fmt::format("all parties are on this machine; the link between them is emulated: {}", options_.emulated));
    const auto workers = [](const Layout& a, const Layout& b) { return a.workers() < b.workers(); };
    const Layout most = *std::max_element(options_.layouts.begin(), options_.layouts.end(), workers);
    if (const int cores = usable_cores(); most.workers() > cores) {
      made_.note(
          fmt::format("this machine has {} for all workers: layouts with more workers share them, and their times "
                      "and prices say nothing about as many machines or GPUs",
                      cores == 1 ? std::string("1 core") : fmt::format("{} cores", cores)));
    }
  }

  Trials& trials_;
  const DataParallelOptions& options_;
  const Prices& prices_;
  Console& console_;
  Measurements made_;
};

}  // namespace

Measurements measure_data_parallel(Trials& trials, const DataParallelOptions& options, const Prices& prices,
                                   const std::string& command, Console& console) {
  return DataParallel(trials, options, prices, command, console).take();
}

}  // namespace tacit::launcher
