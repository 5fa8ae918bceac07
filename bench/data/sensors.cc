#include "bench/data/sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bench/data/city.h"
#include "bench/data/instrument.h"
#include "bench/data/own_air.h"
#include "bench/data/weather.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr int kHours = 24, kFeatures = 8, kFeaturesOfHour = kFeatures - 1;  // the road is the same in all hours
constexpr double kTrendSpan = 0.5;  // hours between the middles of an hour's halves

void check(const SensorsOptions& options) {
  const auto refuse = [](std::string_view option, std::string_view allowed, auto given) {
    throw ConfigError(fmt::format("sensors: {} must be {}, not {}", option, allowed, given));
  };
  if (options.stations < 5 || options.stations > 1'000'000) refuse("stations", "5 ... 1000000", options.stations);
  if (options.hour < 0 || options.hour >= kHours) refuse("hour", "0 ... 23", options.hour);
  if (options.neighbours < 1 || options.neighbours > 100) refuse("neighbours", "1 ... 100", options.neighbours);
  if (options.hours < 1 || options.hours > kHours) refuse("hours", "1 ... 24", options.hours);
  if (options.window < 1 || options.window > options.hours) {
    refuse("window", fmt::format("1 ... {}, the hours", options.hours), options.window);
  }
  if (options.hours > 1 && options.snapshots() < 2) {
    refuse("window", fmt::format("at most {}: one hour is trained on, and another is the test", options.hours - 1),
           options.window);
  }
  if (options.hours > 1 && options.own_air) refuse("hours", "1 in own air, which has no hours", options.hours);
  if (!(options.error >= 0 && options.error <= 100)) refuse("error", "0 ... 100 ug/m3", options.error);
}

// The properties that stay the same from hour to hour.
void place_stations(const City& city, RandomSource& random, SensorDay& day) {
  day.stations = city.stations;
  for (const Spot& station : city.stations) {
    day.near_road.push_back(rounded(city.near_road(station, 200, false), 1000));
    day.shelter.push_back(rounded(random.uniform(0.4, 1.1), 100));
    day.veer.push_back(rounded(random.uniform(-0.5, 0.5), 100));
  }
}

void read_station(const SensorsOptions& options, const City& city, const Air& air, Eigen::Index station,
                  RandomSource& random, SensorDay& day) {
  const Spot& place = city.stations[static_cast<std::size_t>(station)];
  const double load = city.near_road(place, 200, true);
  const double warmer = random.uniform(-1.5, 1.5), damper = random.uniform(-6, 6);
  for (int hour = 0; hour <= kHours; ++hour) {
    const double truth = air.concentration(place, hour);
    const double read = truth + options.error * random.normal();
    day.reading(station, hour) = rounded(std::clamp(read, 0.0, kMostRead), 10);
    if (hour == kHours) break;
    const double rise = air.concentration(place, hour + kTrendSpan / 2) -
                        air.concentration(place, std::max(0.0, hour - kTrendSpan / 2));
    day.trend(station, hour) = rounded(rise + 2 * options.error * random.normal(), 10);
    const double vehicles = kVehiclesPerHour * load * traffic_at(hour) * random.uniform(0.85, 1.15);
    day.traffic(station, hour) = rounded(vehicles, 1);
    day.temperature(station, hour) = rounded(air.temperature(hour) + warmer + 0.3 * random.normal(), 10);
    day.humidity(station, hour) = rounded(std::clamp(air.humidity(hour) + damper + random.normal(), 5.0, 100.0), 10);
  }
}

void split_stations(const SensorsOptions& options, RandomSource& random, GraphData& data) {
  const auto n = static_cast<std::size_t>(options.stations);
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  data.train_mask = data.val_mask = data.test_mask = NodeMask(n);
  for (std::size_t i = 0; i < n; ++i) {
    NodeMask& mask = i < 3 * n / 5 ? *data.train_mask : i < 4 * n / 5 ? *data.val_mask : *data.test_mask;
    mask[static_cast<std::size_t>(order[i])] = true;
  }
}

}  // namespace

SensorDay make_sensor_day(const SensorsOptions& options) {
  check(options);
  RandomSource random(options.seed);
  const City city = make_city(options.stations, random);
  const Air air(city, random);
  SensorDay day;
  place_stations(city, random, day);
  for (Matrix* all : {&day.trend, &day.traffic, &day.temperature, &day.humidity}) all->resize(options.stations, kHours);
  day.reading.resize(options.stations, kHours + 1);
  for (Eigen::Index station = 0; station < options.stations; ++station) {
    read_station(options, city, air, station, random, day);
  }
  day.wind.resize(kHours, 2);
  for (int hour = 0; hour < kHours; ++hour) {
    day.wind.row(hour) << rounded(air.wind_east(hour), 100), rounded(air.wind_north(hour), 100);
  }
  return day;
}

namespace {

Eigen::RowVectorXd features_of_hour(const SensorDay& day, Eigen::Index station, int hour) {
  const double east = day.wind(hour, 0), north = day.wind(hour, 1);
  const auto of_hour = [&](const Matrix& all) { return all(station, hour); };
  const auto i = static_cast<std::size_t>(station);
  Eigen::RowVectorXd row(kFeaturesOfHour);
  row << of_hour(day.reading), of_hour(day.trend), of_hour(day.traffic), of_hour(day.temperature),
      of_hour(day.humidity), rounded(day.shelter[i] * (east - day.veer[i] * north), 100),
      rounded(day.shelter[i] * (north + day.veer[i] * east), 100);
  return row;
}

void read_shared_air(const SensorsOptions& options, GraphData& data) {
  const SensorDay day = make_sensor_day(options);
  data.x.emplace(options.stations, kFeatures);
  data.targets.emplace(day.reading.col(options.hour + 1));
  for (Eigen::Index station = 0; station < options.stations; ++station) {
    data.x->row(station) << features_of_hour(day, station, options.hour),
        day.near_road[static_cast<std::size_t>(station)];
  }
  data.edges = distance_graph(day.stations, options.neighbours);
}

// A row for each station and snapshot; the snapshots of a station follow each other.
void read_hours(const SensorsOptions& options, GraphData& data) {
  const SensorDay day = make_sensor_day(options);
  const int snapshots = options.snapshots();
  data.snapshots = snapshots;
  data.nodes = options.stations * snapshots;
  data.x.emplace(data.nodes, options.window * kFeaturesOfHour + 1);
  data.targets.emplace(data.nodes, 1);
  data.train_mask = data.test_mask = NodeMask(static_cast<std::size_t>(data.nodes));
  for (Eigen::Index row = 0; row < data.nodes; ++row) {
    const Eigen::Index station = row / snapshots;
    const int first = static_cast<int>(row % snapshots), hour = first + options.window - 1;
    for (int i = 0; i < options.window; ++i) {
      data.x->block(row, i * kFeaturesOfHour, 1, kFeaturesOfHour) = features_of_hour(day, station, first + i);
    }
    (*data.x)(row, data.x->cols() - 1) = day.near_road[static_cast<std::size_t>(station)];
    (*data.targets)(row, 0) = day.reading(station, hour + 1);
    NodeMask& mask = hour == options.hours - 1 ? *data.test_mask : *data.train_mask;
    mask[static_cast<std::size_t>(row)] = true;
  }
  data.edges = distance_graph(day.stations, options.neighbours);
}

// The stations stand where they stand in shared air, and have the same neighbours.
void read_own_air(const SensorsOptions& options, GraphData& data) {
  RandomSource random(options.seed);
  data.edges = distance_graph(make_city(options.stations, random).stations, options.neighbours);
  OwnAir air = make_own_air(options.stations, options.error, random);
  data.x = std::move(air.features);
  data.targets = std::move(air.next);
}

}  // namespace

GraphData make_sensors(const SensorsOptions& options) {
  check(options);
  GraphData data;
  data.nodes = options.stations;
  if (options.hours > 1) {
    read_hours(options, data);
    return data;
  }
  if (options.own_air) {
    read_own_air(options, data);
  } else {
    read_shared_air(options, data);
  }
  RandomSource random(~options.seed);  // a seed of this draw alone: changes of the weather keep the split
  split_stations(options, random, data);
  return data;
}

}  // namespace tacit::gnn
