// Axis — from numbers to places: round ticks, and where between the two ends of a figure a value lies.
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

struct Tick {
  double value = 0;
  std::string label;
};

struct Axis {
  double low = 0, high = 1;  // where the axis begins and ends: low < high
  bool logarithmic = false;
  std::vector<Tick> ticks;

  double at(double value) const;  // 0 at low, 1 at high
};

// Ends that are ticks; about so many of them, of steps 1, 2, 2.5 or 5 times a power of ten.
Axis linear_axis(double least, double most, int about);
// Both above zero.
Axis logarithmic_axis(double least, double most, int about);
// Ends where the numbers do, and begins with a tick if there is room; steps are whole.
Axis counting_axis(double least, double most, int about);

}  // namespace tacit::launcher
