// Weather and air over a City through a day: the readings of a station without errors.
#pragma once

#include <array>

#include "bench/data/city.h"

namespace tacit::gnn {

// Hours run from 0 to 24, with fractions; 24 is the next day's 0.
double traffic_at(double hour);     // 0 … 1, with a rush in the morning and one in the evening
double stagnation_at(double hour);  // how much pollution the air keeps: inversion at night, mixing at noon

class Air {
 public:
  Air(const City& city, RandomSource& random);

  double concentration(const Spot& place, double hour) const;  // µg/m³
  double temperature(double hour) const;                       // °C, of the city as a whole
  double humidity(double hour) const;                          // %
  double wind_east(double hour) const;                         // m/s
  double wind_north(double hour) const;

 private:
  // Pollution without a listed source: a smooth bump that grows or fades through the day.
  struct Patch {
    Spot centre;
    double radius, amount, per_hour;
  };

  double plume(const Spot& place, double hour) const;

  const City& city_;
  std::vector<Patch> patches_;
  double east_, north_;  // the day's wind, a direction of length 1
  double plume_aside_;   // how far from the middle the plume passes, in sides of the city
  double warmth_;        // °C above the usual day
};

}  // namespace tacit::gnn
