#include "bench/tables/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <thread>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/growth.h"
#include "bench/tables/others.h"
#include "bench/tables/rank_figures.h"
#include "bench/tables/wake_up_time.h"
#include "launcher/report/quantity.h"
#include "launcher/settings/link.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

using namespace figure_name;

// The rows for one number of parties: each rank, then all ranks together.
std::vector<Row*> rows_for(int parties, Table& table) {
  std::vector<Row*> rows;
  for (int rank = 0; rank <= parties; ++rank) {
    const std::string name = rank < parties ? std::to_string(rank) : "dealer";
    rows.push_back(&table.add({{"parties", std::to_string(parties)}, {"rank", name}}));
  }
  rows.push_back(&table.add({{"parties", std::to_string(parties)}, {"rank", "all"}}));
  return rows;
}

// The medians by number of parties, from two on: a single party sends nothing.
std::vector<Point> medians(const Table& table, const std::string& rank, const std::string& figure) {
  std::vector<Point> points;
  for (const Row& row : table.rows) {
    const Samples* samples = row.find(figure);
    if (samples == nullptr || row.label("rank") != rank) continue;
    const double parties = std::stod(row.label("parties"));
    if (parties > 1) points.push_back({parties, samples->median()});
  }
  return points;
}

// Groups numbers of parties with equal rounds per epoch: each number of rounds has its own law of growth.
std::vector<std::vector<double>> alike(const Table& ranks) {
  constexpr double kAsMany = 0.02;  // rounds of the first and the last epoch differ
  std::vector<std::vector<double>> groups;
  double before = -1;
  for (const Point& rounds : medians(ranks, "0", kEpochRounds)) {
    if (groups.empty() || std::abs(rounds.y - before) > kAsMany * before) groups.emplace_back();
    groups.back().push_back(rounds.x);
    before = rounds.y;
  }
  return groups;
}

std::vector<Point> within(const std::vector<Point>& points, const std::vector<double>& places) {
  std::vector<Point> some;
  std::copy_if(points.begin(), points.end(), std::back_inserter(some),
               [&](const Point& point) { return std::find(places.begin(), places.end(), point.x) != places.end(); });
  return some;
}

struct WhatGrows {
  const std::string &whose, rank, figure;
};

void add_growth_of(const WhatGrows& what, const std::vector<Point>& points, Table& growths) {
  const auto growth = growth_of(points);
  if (!growth) return;
  Row& row = growths.add({{"whose", what.whose},
                          {"rank", what.rank},
                          {"what", what.figure},
                          {"parties", fmt::format("{:g}..{:g}", points.front().x, points.back().x)}});
  row.remark = growth->text();
  row.figure("R squared, line", "").add(growth->line_fit);
  row.figure("exponent", "").add(growth->exponent);
  row.figure("R squared, power", "").add(growth->fit);
}

void add_growth_of(const Table& ranks, const std::string& whose, Table& growths) {
  using OfRank = std::pair<const char*, const char*>;
  const std::vector<std::vector<double>> groups = alike(ranks);
  for (const auto& [rank, figure] : {OfRank{"0", kEpochTime},
                                     {"0", kCoreEachTime},
                                     {"0", kUsualTime},
                                     {"0", kEpochData},
                                     {"0", kUsualData},
                                     {"0", kPackets},
                                     {"all", kEpochTime},
                                     {"all", kAllData},
                                     {"all", kAllPackets},
                                     {"dealer", kEpochData}}) {
    std::vector<Point> points = medians(ranks, rank, figure);
    // Measurements by a capture of the interface have the traffic of all ranks in the row of rank 0.
    const bool of_all = std::string_view(figure) == kAllData || std::string_view(figure) == kAllPackets;
    if (points.empty() && of_all) points = medians(ranks, "0", figure);
    add_growth_of({whose, rank, figure}, points, growths);
    for (std::size_t i = 0; groups.size() > 1 && i < groups.size(); ++i) {
      add_growth_of({whose, rank, figure}, within(points, groups[i]), growths);
    }
  }
}

void add_growth(const Table& ranks, Measurements& made) {
  Table& table = made.table("growth",
                            "The line or the power of n that fits best, from two parties on: for Tacit, for numbers "
                            "of parties with equal rounds per epoch, and for others' measurements.");
  add_growth_of(ranks, "Tacit", table);
  for (const Measurements& one : others("scaling")) {
    add_growth_of(one.tables().front(), one.tables().front().name, table);
  }
}

constexpr std::int64_t kReportEpochs = 200;  // "data per epoch" has 1/200 of "data once", like ours

double at(const std::vector<Point>& points, double parties) {
  for (const Point& point : points) {
    if (point.x == parties) return point.y;
  }
  return 0;
}

// The aim: `times` fewer bytes at rank 0 than the report has.
void add_aim(const Table& ranks, const Measurements& report, double parties, double times, std::int64_t epochs,
             Measurements& made) {
  const double ours = at(medians(ranks, "0", kEpochData), parties);
  const double theirs = at(medians(report.tables().front(), "0", kEpochData), parties);
  if (ours <= 0 || theirs <= 0) return;
  made.aim({fmt::format("bytes per epoch at rank 0 of {:g} parties, all counted", parties),
            fmt::format(">= {:g} x fewer than {:.2f} MB", times, theirs),
            fmt::format("{:.3f} MB: {:.1f} x", ours, theirs / ours), theirs / ours >= times},
           kReportEpochs, epochs);
}

void add_aims(const Table& ranks, std::int64_t epochs, Measurements& made) {
  for (const Measurements& one : others("scaling")) {
    if (!one.tables().front().name.ends_with("(the report)")) continue;
    add_aim(ranks, one, 2, 18, epochs, made);
    add_aim(ranks, one, 5, 60, epochs, made);
  }
  double most = 0;
  for (const Row& row : ranks.rows) {
    if (const Samples* memory = row.find(kMemory); memory != nullptr && row.label("rank") != "dealer") {
      most = std::max(most, memory->max());
    }
  }
  constexpr double kWanted = 100;
  made.aim({"memory of a party, at most", fmt::format("<= {:g} MB", kWanted), fmt::format("{:.1f} MB", most),
            most <= kWanted},
           kReportEpochs, epochs);
}

// The delays of an emulated link; without a link, the time until a sleeping thread has been woken.
Between between_ranks(const ScalingOptions& options) {
  if (!options.here) return {};
  if (options.emulated.empty()) return {wake_up_time(), std::numeric_limits<double>::infinity()};
  const Link link = parse_link(options.emulated);
  return {link.round_trip / 2, link.bytes_per_second};
}

// Notes how the measurement compares with the estimate, for numbers of parties that have a core each.
void tell_core_each(const Table& ranks, const Between& between, Measurements& made) {
  std::string checked;
  for (const Row& row : ranks.rows) {
    const Samples *estimate = row.find(kCoreEachTime), *measured = row.find(kEpochTime);
    if (estimate == nullptr || measured == nullptr) continue;
    if (std::stoul(row.label("parties")) > std::thread::hardware_concurrency()) continue;
    checked += fmt::format("{}{:.2f} with {} {}", checked.empty() ? "" : ", ", measured->median() / estimate->median(),
                           row.label("parties"), row.label("parties") == "1" ? "party" : "parties");
  }
  made.note(
      fmt::format("\"{}\" is an estimate: the CPU time of the busiest party, {:.1f} us for each round{} and the "
                  "party's bytes over the "
                  "link; measured time over estimate, where each party had a core: {}",
                  kCoreEachTime, 1e6 * between.round,
                  std::isinf(between.bytes_per_second) ? ", the time to wake a thread here," : "",
                  checked.empty() ? "not checked" : checked));
}

}  // namespace

void add_run(const RunAccount& run, const std::vector<Row*>& ranks, Row& all, bool here) {
  double bytes = 0, packets = 0, epochs = 1;
  for (const RankAccount& account : run.ranks) {
    add_figures(account, *ranks[static_cast<std::size_t>(account.rank)]);
    if (here) add_memory_share(account, *ranks[static_cast<std::size_t>(account.rank)]);
    if (!account.measured) continue;
    const net::PeerTraffic& total = account.measured->total;
    bytes += static_cast<double>(total.wire_sent) + kHeaderBytes * static_cast<double>(total.packets_sent);
    packets += static_cast<double>(total.packets_sent);
    epochs = std::max(epochs, static_cast<double>(account.epochs.size()));
  }
  all.figure(kAllData, "MB").add(bytes / epochs / 1e6);
  all.figure(kAllPackets, "").add(packets / epochs);
}

Measurements measure_scaling(Trials& trials, const ScalingOptions& options, const std::string& command,
                             Console& console) {
  Measurements made("scaling", command);
  Table& ranks = made.table("ranks", "Every rank, the dealer too, and all ranks together.");
  const gnn::GraphData whole = gnn::make_sensors({});
  const Between between = between_ranks(options);
  std::map<int, std::vector<Row*>> rows;
  for (const int parties : options.parties) rows[parties] = rows_for(parties, ranks);
  for (int repeat = 1; repeat <= options.repeats; ++repeat) {
    for (const int parties : options.parties) {
      const std::string name = fmt::format("scaling-n{}-{}", parties, repeat);
      const RunAccount run = trials.run(name, demo_job(parties, options.epochs), whole, options.emulated);
      std::vector<Row*>& own = rows[parties];
      add_run(run, own, *own.back(), options.here);
      if (options.here) own.front()->figure(kCoreEachTime, "s").add(core_each_time(run, between));
      console.say(fmt::format("scaling: {} of {}, {} {}: {} per epoch at rank 0", repeat, options.repeats, parties,
                              parties == 1 ? "party" : "parties",
                              text_of(Quantity::kSeconds, own.front()->find(kEpochTime)->values().back())));
    }
  }
  add_growth(ranks, made);
  add_aims(ranks, options.epochs, made);
  if (options.here) tell_core_each(ranks, between, made);
  made.note(fmt::format(
      "the sensor network of `tacit demo`: 300 nodes, 8 features, 16 hidden, private graph; {} epochs, "
      "the loss revealed in each; link: {}; {} repetitions",
      options.epochs, options.emulated.empty() ? "none, loopback" : options.emulated + " (emulated)", options.repeats));
  made.note(
      "the algorithm for openings depends on size and number of parties: from five parties on this training uses two "
      "phases, "
      "in more rounds and fewer bytes, so data at a rank fall there, and the aim for five parties rests on it");
  made.note(
      "data are all bytes that a rank sends and receives, dealt ones too, with 66 bytes of headers for each packet; a "
      "single party holds all data, and does not need the dealt bytes");
  return made;
}

std::vector<int> parse_parties(const std::string& text) {
  const auto refuse = [&] {
    throw ConfigError(fmt::format("\"{}\" is no list of numbers of parties: expected 1 to {}, as 1..8 or 2,3,5",
                                  net::printable(text, 80), kMostDemoParties));
  };
  const auto number = [&](std::string_view word) {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > kMostDemoParties) refuse();
    return value;
  };
  std::vector<int> parties;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t dots = word.find("..");
    const int first = number(std::string_view(word).substr(0, dots));
    const int last = dots == std::string::npos ? first : number(std::string_view(word).substr(dots + 2));
    for (int n = first; n <= last; ++n) parties.push_back(n);
  }
  std::sort(parties.begin(), parties.end());
  parties.erase(std::unique(parties.begin(), parties.end()), parties.end());
  if (parties.empty()) refuse();
  return parties;
}

}  // namespace tacit::launcher
