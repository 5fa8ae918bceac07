// City — the stations of an air-quality network, and the sources of pollution around them.
//
// A city is made from random numbers by additions, multiplications, divisions and square roots only. IEEE arithmetic
// fixes every bit of these operations, so a city is the same on every machine.
#pragma once

#include <vector>

#include "bench/data/distance_graph.h"
#include "bench/data/random_source.h"

namespace tacit::gnn {

// The effect of a source at a distance: 1 at the source, 1/2 at `half_way`, then falling with the square of the
// distance.
double nearness(double distance, double half_way);
double distance_between(const Spot& a, const Spot& b);

struct District {
  Spot centre;
  double radius = 0;    // metres
  double strength = 0;  // µg/m³ that it adds at its centre when it is busiest
  bool industrial = false;
};

struct Road {
  Spot from, to;
  double load = 1;  // traffic, relative to a usual main road

  double distance(const Spot& place) const;
};

struct City {
  std::int64_t side = 0;  // metres; grows with the number of stations, at constant density
  std::vector<District> districts;
  std::vector<Road> roads;
  std::vector<Spot> stations;

  // 1 on a main road, 1/2 at `half_way` metres from it; times the road's load if `loaded`.
  double near_road(const Spot& place, double half_way, bool loaded) const;
};

City make_city(std::int64_t stations, RandomSource& random);

}  // namespace tacit::gnn
