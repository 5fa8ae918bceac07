#include "bench/data/own_air.h"

#include <algorithm>

#include "bench/data/instrument.h"

namespace tacit::gnn {

namespace {

// A box of air (the usual box model): the draught replaces a part of the old air, and the station's own road and
// heating fill the rest. Damp air makes particles grow.
struct Box {
  double reading, trend, traffic, temperature, humidity, east, north,
      near_road;  // as coarse as an instrument shows them
  double old;     // µg/m³, without the error

  double next() const {
    const double still = 1 / (1 + 0.25 * (east * east + north * north));  // the part of the air that stays
    const double cold = std::max(0.0, 15 - temperature) / 20, damp = humidity / 100;
    const double made = 60 * near_road * (traffic / kVehiclesPerHour) + 40 * cold * cold;
    return 10 + still * (old + made) * (0.8 + 0.4 * damp * damp) + 0.5 * trend;
  }
};

// Draws in a fixed order, each number in a statement of its own.
Box drawn_box(double error, RandomSource& random) {
  Box box{};
  box.old = random.uniform(15, 140);
  box.reading = rounded(std::clamp(box.old + error * random.normal(), 0.0, kMostRead), 10);
  box.trend = rounded(random.uniform(-20, 20), 10);
  box.traffic = rounded(random.uniform(0, kVehiclesPerHour), 1);
  box.temperature = rounded(random.uniform(-5, 30), 10);
  box.humidity = rounded(random.uniform(30, 95), 10);
  box.east = rounded(random.uniform(-3, 3), 100);
  box.north = rounded(random.uniform(-3, 3), 100);
  box.near_road = rounded(random.uniform(0, 1), 1000);
  return box;
}

}  // namespace

OwnAir make_own_air(std::int64_t stations, double error, RandomSource& random) {
  OwnAir air{Matrix(stations, 8), Matrix(stations, 1)};
  for (Eigen::Index station = 0; station < stations; ++station) {
    const Box box = drawn_box(error, random);
    air.features.row(station) << box.reading, box.trend, box.traffic, box.temperature, box.humidity, box.east,
        box.north, box.near_road;
    air.next(station, 0) = rounded(std::clamp(box.next() + error * random.normal(), 0.0, kMostRead), 10);
  }
  return air;
}

}  // namespace tacit::gnn
