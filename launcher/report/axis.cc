#include "launcher/report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "launcher/report/quantity.h"

namespace tacit::launcher {

namespace {

// The next step that is 1, 2, 2.5 or 5 times a power of ten.
double round_step(double step, bool whole) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double round : {1.0, 2.0, 2.5, 5.0}) {
    if (whole && power == 1 && round == 2.5) continue;
    if (round * power >= step * (1 - 1e-9)) return round * power;
  }
  return 10 * power;
}

int decimals_of(double step) {
  int decimals = 0;
  for (double scaled = step; decimals < 12 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled; scaled *= 10) {
    ++decimals;
  }
  return decimals;
}

std::string label_of(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  if (step < 1e-6 || std::abs(value) >= 1e9) return fmt::format("{:.3g}", value);
  const int decimals = decimals_of(step);
  return decimals == 0 ? grouped(std::llround(value)) : fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

double Axis::at(double value) const {
  if (logarithmic) return std::log(std::max(value, 1e-300) / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Axis linear_axis(double least, double most, int about) {
  if (!(most > least)) {  // one value: it lies in the middle, or above zero
    const double room = least == 0 ? 1 : std::abs(least) / 2;
    most = least + room;
    least = least > 0 ? std::max(0.0, least - room) : least - room;
  }
  const double step = round_step((most - least) / about, false);
  Axis axis;
  const auto first = std::floor(least / step * (1 + 1e-12) + 1e-9), last = std::ceil(most / step - 1e-9);
  axis.low = first * step;
  axis.high = last * step;
  for (double i = first; i <= last; ++i) axis.ticks.push_back({i * step, label_of(i * step, step)});
  return axis;
}

Axis counting_axis(double least, double most, int about) {
  Axis axis;
  axis.low = least;
  axis.high = most > least ? most : least + 1;
  const double step = std::max(1.0, round_step((axis.high - axis.low) / about, true));
  for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i) {
    axis.ticks.push_back({i * step, grouped(std::llround(i * step))});
  }
  const bool room = axis.ticks.empty() || axis.ticks.front().value - axis.low >= step / 2;
  if (room) axis.ticks.insert(axis.ticks.begin(), {axis.low, grouped(std::llround(axis.low))});
  if (most <= least) {  // one epoch, in the middle
    axis.low = least - 0.5;
    axis.high = least + 0.5;
    axis.ticks.resize(1);
  }
  return axis;
}

Axis logarithmic_axis(double least, double most, int about) {
  Axis axis;
  axis.logarithmic = true;
  std::vector<double> mantissas = {1, 2, 5};
  const double decades = std::log10(most / least);
  if (3 * decades > about) mantissas = {1};
  const auto first = static_cast<int>(std::floor(std::log10(least) - 1)),
             last = static_cast<int>(std::ceil(std::log10(most) + 1));
  const int every = std::max(1, static_cast<int>(std::ceil(decades / about)));
  std::vector<double> round;
  for (int power = first; power <= last; ++power) {
    if (mantissas.size() == 1 && ((power % every) + every) % every != 0) continue;
    for (const double mantissa : mantissas) round.push_back(mantissa * std::pow(10, power));
  }
  const auto above = std::upper_bound(round.begin(), round.end(), least * (1 + 1e-9));
  const auto below = std::lower_bound(round.begin(), round.end(), most * (1 - 1e-9));
  axis.low = above == round.begin() ? least : *(above - 1);
  axis.high = below == round.end() ? most : *below;
  if (!(axis.high > axis.low)) axis.high = 10 * axis.low;
  for (const double value : round) {
    if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
    const bool plain = value >= 1e-4 && value < 1e6;
    axis.ticks.push_back({value, plain ? fmt::format("{:.6g}", value) : fmt::format("{:.0e}", value)});
  }
  return axis;
}

}  // namespace tacit::launcher
