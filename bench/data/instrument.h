// A number as an instrument shows it.
#pragma once

#include <cmath>

namespace tacit::gnn {

inline constexpr double kMostRead = 500;          // µg/m³
inline constexpr double kVehiclesPerHour = 2400;  // on a main road at the rush hour

inline double rounded(double value, double steps_per_unit) {
  return std::floor(value * steps_per_unit + 0.5) / steps_per_unit;
}

}  // namespace tacit::gnn
