#include "mpc/functions/sum_widths.h"

#include <algorithm>
#include <cmath>

#include "mpc/functions/clip_margins.h"

namespace tacit::mpc {

namespace {

double rounding_of(const LayerBounds& layer, int scaled_bits, const SumBounds& bounds) {
  if (scaled_bits == bounds.clip.factor_bits + layer.fraction_bits) return 0;
  const auto units = static_cast<double>(ClipMargins::of(bounds.parties).drop);
  const double element = std::ldexp(units, -scaled_bits);
  // The bias' own sum of s·d is exact if the inputs are scaled. Otherwise the bias takes the sum of the scaled d.
  const double squared = layer.scales_inputs()
                             ? static_cast<double>(layer.inputs) * layer.squared.gradients
                             : static_cast<double>(layer.outputs) * (layer.squared.inputs + (layer.bias ? 1 : 0));
  return element * std::sqrt(squared);
}

int wide_ring(const LayerBounds& layer, const SumBounds& bounds) {
  return bounds.clip.factor_bits + 2 * layer.fraction_bits + bounds.whole_bits();
}

}  // namespace

int SumBounds::whole_bits() const {
  const double most = std::ldexp(static_cast<double>(records) + noise, clip.log_clip) + 1;
  return static_cast<int>(std::floor(std::log2(most))) + 3;
}

SumWidths sum_widths(const LayerBounds& layer, const RecordRings& rings, const SumBounds& bounds) {
  const int scaled = layer.scales_inputs() ? rings.inputs : rings.gradients;
  const int other = layer.scales_inputs() ? rings.gradients : rings.inputs;
  const int least = bounds.clip.factor_bits, room = other - layer.fraction_bits - bounds.whole_bits();
  if (wide_ring(layer, bounds) > scaled || room < least) return {};
  SumWidths widths;
  widths.scaled_bits = std::min(least + layer.fraction_bits, room);
  widths.ring = widths.scaled_bits + layer.fraction_bits + bounds.whole_bits();
  widths.rounding = rounding_of(layer, widths.scaled_bits, bounds);
  return widths;
}

RecordRings record_rings(const LayerBounds& layer, const SumBounds& bounds, double most_rounding) {
  int scaled_bits = bounds.clip.factor_bits;
  while (rounding_of(layer, scaled_bits, bounds) > most_rounding) ++scaled_bits;
  const int f = layer.fraction_bits;
  const int other = scaled_bits + f + bounds.whole_bits(), scaled = wide_ring(layer, bounds);
  // A length without a bound fits any ring, and is shown in as many bits as a and d have.
  const auto ring = [&](double squared) { return std::isfinite(squared) ? ring_of_squares(squared, 2 * f) : 0; };
  return {std::max(ring(layer.squared.inputs), layer.scales_inputs() ? scaled : other),
          std::max(ring(layer.squared.gradients), layer.scales_inputs() ? other : scaled)};
}

}  // namespace tacit::mpc
