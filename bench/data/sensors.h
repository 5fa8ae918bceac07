// Sensors — an air-quality network made from a seed: stations in a city, a day of readings, and the task of
// predicting the next reading of each station.
//
// Nothing is downloaded, and nothing depends on the machine: the same options give the same words everywhere.
// Readings look like PM2.5 in µg/m³. Their causes are rush hours, inversion at night, factories and a plume that
// drifts across the city. A station's errors are its own, so the readings of its neighbours help: a graph network can
// use them. In air of its own (own_air.h) a station's features suffice, and neighbours do not help.
#pragma once

#include "bench/data/distance_graph.h"

namespace tacit::gnn {

struct SensorsOptions {
  std::int64_t stations = 300;
  std::uint64_t seed = 1;
  int hour = 17;         // 0 … 23: the next hour is predicted from this one
  int neighbours = 6;    // each station is joined to this many nearest ones, in both directions
  double error = 8;      // µg/m³: the standard deviation of a reading around the truth
  bool own_air = false;  // each station in air of its own; the hour makes no difference then
  // More than 1: a snapshot (gnn/data/snapshots.h) for each of this many hours of the day, from midnight on, in place
  // of `hour`. Each is predicted from `window` hours; the first hours, before which there are too few, are no
  // snapshots.
  int hours = 1;
  int window = 1;

  int snapshots() const { return hours - window + 1; }
};

// A row for each station, a column for each hour; every number as coarse as an instrument shows it.
struct SensorDay {
  std::vector<Spot> stations;
  std::vector<double> near_road;  // 1 on a main road, 1/2 at 200 m from it
  std::vector<double> shelter;    // the wind at the station, as a part of the wind over the city
  std::vector<double> veer;       // how far buildings turn it, to the left: a tangent
  Matrix reading;                 // µg/m³; 25 hours, since the last one has a next hour
  Matrix trend;                   // µg/m³: the hour's second half less its first
  Matrix traffic;                 // vehicles
  Matrix temperature, humidity;   // °C, %
  Matrix wind;                    // over the city: 24 rows, m/s to the east and to the north
};

// ConfigError names the option that makes no network.
SensorDay make_sensor_day(const SensorsOptions& options);

// x: the chosen hour's reading, trend, traffic, temperature, humidity, wind to the east and to the north, and
// nearness to a main road; y: the next hour's reading. Three fifths of the stations to train on, a fifth each for val
// and test. With several hours, x has the first seven columns for each hour of the window, the earliest first, and
// the road at the end; the last hour is the test, and all hours before it are for the training.
GraphData make_sensors(const SensorsOptions& options);

}  // namespace tacit::gnn
