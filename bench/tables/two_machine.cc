#include "bench/tables/two_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/others.h"
#include "bench/tables/rank_figures.h"
#include "bench/tables/scaling.h"
#include "launcher/report/measures.h"
#include "launcher/report/quantity.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

namespace {

using namespace figure_name;

// Besides the requested link: a longer round trip, and the average rate that the report states for its own run.
constexpr const char* kOtherLinks[] = {"10ms,100Mbit", "7.9ms,16Mbit"};
constexpr const char* kRanksOfRun[] = {"0", "1", "dealer"};

void add_rates(const std::vector<Row*>& ranks) {
  for (Row* row : ranks) {
    const Samples *data = row->find(kData), *seconds = row->find(kWallClock);
    if (data != nullptr && seconds != nullptr) {
      row->figure("rate", "MB/s").add(data->values().back() / seconds->values().back());
    }
  }
}

// The work of a usual epoch, which no link changes; measured in runs without an emulated link.
struct Work {
  Samples seconds{"s"}, rounds{""}, sent{"B"};

  void add(const RankAccount& account) {
    std::vector<double> bytes, waits;
    for (const auto& [number, one] : account.epochs) {
      if (!one.measured || number == account.epochs.begin()->first || number == account.epochs.rbegin()->first)
        continue;
      bytes.push_back(static_cast<double>(one.measured->parties.wire_sent));
      waits.push_back(static_cast<double>(one.measured->rounds));
    }
    Row row;
    add_figures(account, row);
    seconds.add(row.find(kUsualTime)->values().back());
    rounds.add(median(waits).value_or(0));
    sent.add(median(bytes).value_or(0));
  }
};

// The least time if nothing overlaps: rounds, bytes by a rank's bandwidth, and the time without a link. A round is a
// message each way at once, so it takes half a round trip if both ranks are ready. The stated aim counts whole round
// trips; both aims are added.
void add_link_aims(const std::string& emulated, const Work& work, const Samples& epoch, Measurements& made) {
  constexpr double kWanted = 1.2;
  const Link link = parse_link(emulated);
  const double measured = epoch.median();
  for (const bool half : {false, true}) {
    const double round = half ? link.round_trip / 2 : link.round_trip;
    const double least =
        work.rounds.median() * round + work.sent.median() / link.bytes_per_second + work.seconds.median();
    made.aim({fmt::format("a usual epoch at {}, against rounds x RTT{} + bytes / bandwidth + local compute",
                          link.text(), half ? " / 2" : ""),
              fmt::format("<= {:g} x {}", kWanted, text_of(Quantity::kSeconds, least)),
              fmt::format("{}: {:.2f} x", text_of(Quantity::kSeconds, measured), measured / least),
              measured <= kWanted * least});
  }
}

// Adds the aim for the report's link or a slower one: a faster link would meet the aim by itself.
void add_time_aim(const std::string& emulated, const Row& rank, std::int64_t epochs, Measurements& made) {
  constexpr double kWanted = 20, kTheirRoundTrip = 7.9e-3;
  constexpr std::int64_t kTheirEpochs = 200;
  if (!emulated.empty() && parse_link(emulated).round_trip < kTheirRoundTrip) return;
  const double ours = rank.find(kEpochTime)->median();
  const double theirs = others("two-machine").front().tables().front().rows.front().find(kEpochTime)->median();
  made.aim({fmt::format("time per epoch at rank 0, link: {}", emulated.empty() ? "that of the hosts" : emulated),
            fmt::format(">= {:g} x less than {:.2f} s", kWanted, theirs),
            fmt::format("{}: {:.1f} x", text_of(Quantity::kSeconds, ours), theirs / ours), theirs / ours >= kWanted},
           kTheirEpochs, epochs);
}

}  // namespace

Measurements measure_two_machine(Trials& trials, const TwoMachineOptions& options, const std::string& command,
                                 Console& console) {
  constexpr int kParties = 2;
  Measurements made("two-machine", command);
  Table& table = made.table("ranks", "Both ranks, and the dealer; CrypTen's default provider has no dealer.");
  std::vector<Row*> rows;
  for (const char* rank : kRanksOfRun) rows.push_back(&table.add({{"rank", rank}}));
  const bool here = !options.emulated.empty();
  std::vector<std::vector<Row*>> other_links;
  if (here) {
    Table& links = made.table("other links", "The ranks of a run on links of another round trip and another rate.");
    for (const char* link : kOtherLinks) {
      std::vector<Row*>& its = other_links.emplace_back();
      for (const char* rank : kRanksOfRun)
        its.push_back(&links.add({{"link", parse_link(link).text()}, {"rank", rank}}));
    }
  }
  Row all;
  const gnn::GraphData whole = gnn::make_sensors({});
  const Job job = demo_job(kParties, options.epochs);
  Work work;
  for (int repeat = 1; repeat <= options.repeats; ++repeat) {  // all in turns: machines drift
    add_run(trials.run(fmt::format("two-machine-{}", repeat), job, whole, options.emulated), rows, all, here);
    add_rates(rows);
    if (here) {
      work.add(trials.run(fmt::format("two-machine-no-link-{}", repeat), job, whole).teller());
      for (std::size_t i = 0; i < other_links.size(); ++i) {
        const std::string name = fmt::format("two-machine-other-{}-{}", i + 1, repeat);
        add_run(trials.run(name, job, whole, kOtherLinks[i]), other_links[i], all, here);
        add_rates(other_links[i]);
      }
    }
    console.say(fmt::format("two-machine: {} of {}: {} per epoch", repeat, options.repeats,
                            text_of(Quantity::kSeconds, rows.front()->find(kEpochTime)->values().back())));
  }
  add_time_aim(options.emulated, *rows.front(), options.epochs, made);
  if (here) {
    add_link_aims(options.emulated, work, *rows.front()->find(kUsualTime), made);
    for (std::size_t i = 0; i < other_links.size(); ++i) {
      add_link_aims(kOtherLinks[i], work, *other_links[i].front()->find(kUsualTime), made);
      add_time_aim(kOtherLinks[i], *other_links[i].front(), options.epochs, made);
    }
  }
  made.note(
      fmt::format("the sensor network of `tacit demo`, {} epochs, {} repetitions; link: {}; the dealer's link is "
                  "the same",
                  options.epochs, options.repeats, here ? options.emulated + " (emulated)" : "that of the hosts"));
  made.note(
      "a round is a message each way at once, and takes half a round trip if both ranks are ready; local compute is an "
      "epoch of the same training without a link, in which both ranks and the dealer share these cores");
  return made;
}

}  // namespace tacit::launcher
