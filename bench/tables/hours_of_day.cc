#include "bench/tables/hours_of_day.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "launcher/event_json.h"
#include "launcher/launch/twin.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

constexpr int kLastHour = 23;

struct Training {
  const char* name;
  const char* file;  // in the names of trials
  int hours, window;
};
constexpr std::array<Training, 3> kTrainings = {{{"one hour, of other stations", "one", 1, 1},
                                                 {"all hours before", "day", 24, 1},
                                                 {"all hours before, from three", "window", 24, 3}}};

double reading_of(const std::string& what, const std::vector<ToldReading>& readings) {
  for (const ToldReading& one : readings) {
    if (one.what == what) return one.value;
  }
  throw ConfigError(fmt::format("a run has no {}; see its own log", what));
}

double median_epoch(const RunAccount& run) {
  std::vector<double> seconds;
  for (const auto& [number, epoch] : run.teller().epochs) seconds.push_back(epoch.usage.seconds);
  return Samples("s", seconds).median();
}

}  // namespace

void measure_hours(Measurements& made, Trials& trials, const AccuracyOptions& options, Console& console) {
  Table& table =
      made.table("hours",
                 "Errors of predictions from the hour 23 of the day, by two GCNs: one is trained on three fifths of "
                 "the stations in this hour, the other on all stations in the hours before.");
  for (int city = 1; city <= options.cities; ++city) {
    for (std::size_t i = 0; i < kTrainings.size(); ++i) {
      const Training& training = kTrainings[i];
      const gnn::GraphData whole = gnn::make_sensors({.seed = static_cast<std::uint64_t>(city),
                                                      .hour = kLastHour,
                                                      .hours = training.hours,
                                                      .window = training.window});
      Job job = demo_job(options.parties, options.epochs);
      job.data.snapshots = job.data.ownership.snapshots = whole.snapshots;
      const TrainedTwin twin = trained_twin(job, whole);
      const RunAccount run = trials.run(fmt::format("accuracy-hours-city{}-{}", city, training.file), job, whole);
      if (city == 1) {
        table.add({{"trained on", training.name}, {"snapshots", std::to_string(whole.snapshots)}});
      }
      Row& row = table.rows[i];
      row.figure("test RMSE", "ug/m3").add(reading_of("test rmse", run.teller().readings));
      row.figure("plain test RMSE", "ug/m3")
          .add(std::find_if(twin.readings.begin(), twin.readings.end(), [](const auto& one) {
                 return one.what.part == gnn::Part::kTest;
               })->value);
      row.figure("an epoch", "s").add(median_epoch(run));
    }
    console.say(fmt::format("accuracy: hours, city {} of {}", city, options.cities));
  }
  double most = 0;
  for (std::size_t city = 0; city < table.rows[0].find("an epoch")->values().size(); ++city) {
    const auto epoch = [&](std::size_t row) { return table.rows[row].find("an epoch")->values()[city]; };
    most = std::max(most, epoch(1) / epoch(0));
  }
  constexpr double kWanted = 8;
  made.aim({"an epoch of 24 hours against an epoch of one", fmt::format("at most {:g} times", kWanted),
            fmt::format("{:.2f} times at most", most), most <= kWanted});
}

}  // namespace tacit::launcher
