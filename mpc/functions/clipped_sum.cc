#include "mpc/functions/clipped_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mpc/functions/clip_margins.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/random/discrete_gaussian.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

LayerBounds bounds_of(const LayerRecords& layer) {
  const Shape a = layer.inputs.shape(), d = layer.gradients.shape();
  return {a.cols, d.cols, layer.bias, layer.inputs.fraction_bits(), layer.squared};
}

bool scales_inputs(const LayerRecords& layer) { return bounds_of(layer).scales_inputs(); }

const Masked& scaled_side(const LayerRecords& layer) { return scales_inputs(layer) ? layer.inputs : layer.gradients; }

int grid_of(const LayerRecords& layer, int scaled_bits) { return layer.inputs.fraction_bits() + scaled_bits; }

// The ring of s: the ring of the widest product.
int ring_of_factor(std::span<const LayerRecords> layers) {
  int ring = 0;
  for (const LayerRecords& layer : layers) ring = std::max(ring, scaled_side(layer).ring_bits());
  return ring;
}

// The units of the noise on a layer's grid.
std::int64_t units_of(const StepNoise& noise, const Clip& clip, int grid) {
  const double units = std::ceil(std::ldexp(noise.multiplier, clip.log_clip + grid));
  if (!(units >= 1 && units <= static_cast<double>(DiscreteGaussian::kMostSigma))) {
    throw ConfigError(
        fmt::format("noise of {} times 2^{} is {:.3g} units of 2^-{}; it must be between 1 and 2^52: choose another "
                    "noise, a smaller clip or fewer fraction bits",
                    noise.multiplier, clip.log_clip, units, grid));
  }
  return static_cast<std::int64_t>(units);
}

SumBounds sum_bounds(const Session& session, std::span<const LayerRecords> layers, const Clip& clip, double noise) {
  return {clip, layers.front().inputs.shape().rows, noise, session.parties()};
}

std::vector<ClippedSum> sums_within(Session& session, std::span<const LayerRecords> layers,
                                    std::span<const SumWidths> widths, const Clip& clip, const Share* counted) {
  const Clip rounded = with_rounding(clip, widths);
  return scaled_sums(session, layers, widths, clip_factor(session, layers, rounded, ring_of_factor(layers), counted));
}

}  // namespace

std::vector<SumWidths> widths_of_sums(std::span<const LayerRecords> layers, const SumBounds& bounds) {
  std::vector<SumWidths> widths;
  for (const LayerRecords& layer : layers) {
    const RecordRings rings{layer.inputs.ring_bits(), layer.gradients.ring_bits()};
    const LayerBounds of = bounds_of(layer);
    widths.push_back(sum_widths(of, rings, bounds));
    if (widths.back().scaled_bits > 0) continue;
    const RecordRings needed = record_rings(of, bounds, std::numeric_limits<double>::infinity());
    throw ConfigError(fmt::format(
        "the sum of {} gradients, clipped to 2^{}, and its noise needs rings of {} and {} bits with {} fraction bits, "
        "and has {} and {}: choose a smaller batch, less noise, a ring of more bits, or fewer fraction bits",
        bounds.records, bounds.clip.log_clip, needed.inputs, needed.gradients, of.fraction_bits, rings.inputs,
        rings.gradients));
  }
  return widths;
}

Clip with_rounding(Clip clip, std::span<const SumWidths> widths) {
  double squared = 0;
  for (const SumWidths& one : widths) squared += one.rounding * one.rounding;
  clip.rounding = 2 * std::sqrt(squared) * std::ldexp(1.0, -clip.log_clip);
  constexpr double kMost = 0.25;
  if (!(clip.rounding < kMost)) {
    throw ConfigError(
        fmt::format("the roundings of a clipped gradient could be {:.3g} of the clip 2^{}, and at most {} is possible: "
                    "choose a ring "
                    "of more bits, smaller ranges, or a larger clip",
                    clip.rounding, clip.log_clip, kMost));
  }
  return clip;
}

double largest_noise(const StepNoise& noise, int parties) {
  constexpr int kNoiseBits = 20;  // of the unit in which it is computed
  const auto sigma = static_cast<std::int64_t>(std::ceil(std::ldexp(noise.multiplier, kNoiseBits)));
  return std::ldexp(largest_noise(Noise{sigma, noise.from, noise.colluding}, parties), -kNoiseBits);
}

std::vector<Share> scaled_sides(Session& session, std::span<const LayerRecords> layers,
                                std::span<const SumWidths> widths, const Masked& factor) {
  std::vector<Share> scaled;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const Masked& side = scaled_side(layers[l]);
    const Share exact = product(session, repeat_cols(factor, side.shape().cols), side);
    scaled.push_back(narrow(drop(session, exact, exact.fraction_bits() - widths[l].scaled_bits), widths[l].ring));
  }
  return scaled;
}

std::vector<ClippedSum> sums_of_sides(Session& session, std::span<const LayerRecords> layers, const Masked& factor,
                                      std::span<const Share> sides) {
  const std::vector<Masked> masked = mask(session, sides);
  std::vector<ClippedSum> sums;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerRecords& layer = layers[l];
    const bool inputs = scales_inputs(layer);
    ClippedSum& sum = sums.emplace_back();
    sum.weights = inputs ? matmul(session, masked[l].transposed(), layer.gradients)
                         : matmul(session, layer.inputs.transposed(), masked[l]);
    if (!layer.bias) continue;
    const Share bias = inputs ? matmul(session, factor.transposed(), layer.gradients) : column_sums(sides[l]);
    sum.bias = narrow(refine(bias, sum.weights.fraction_bits()), sum.weights.ring_bits());
  }
  return sums;
}

double noise_and_rounding(const StepNoise& noise, const Clip& clip, int fraction_bits, int parties) {
  const auto units = static_cast<double>(ClipMargins::of(parties).drop + 1);
  return largest_noise(noise, parties) + std::ldexp(units, -fraction_bits - clip.log_clip);
}

std::vector<ClippedSum> scaled_sums(Session& session, std::span<const LayerRecords> layers,
                                    std::span<const SumWidths> widths, const Share& factor) {
  TACIT_CHECK(widths.size() == layers.size());
  for (const LayerRecords& layer : layers) {
    TACIT_CHECK(layer.inputs.shape().rows == factor.shape().rows);
    TACIT_CHECK(layer.gradients.shape().rows == factor.shape().rows);
    TACIT_CHECK(layer.inputs.fraction_bits() == layer.gradients.fraction_bits());
  }
  const Masked masked = mask(session, narrow(factor, ring_of_factor(layers)));
  return sums_of_sides(session, layers, masked, scaled_sides(session, layers, widths, masked));
}

std::vector<ClippedSum> clipped_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const Share* counted) {
  const std::vector<SumWidths> widths = widths_of_sums(layers, sum_bounds(session, layers, clip, 0));
  return sums_within(session, layers, widths, clip, counted);
}

std::vector<ClippedSum> private_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const StepNoise& noise, int fraction_bits, const Share* counted) {
  // Checks the noise on the coarsest grid first, since widths_of_sums() accepts any noise.
  for (const LayerRecords& layer : layers) units_of(noise, clip, grid_of(layer, clip.factor_bits));
  const double most = noise_and_rounding(noise, clip, fraction_bits, session.parties());
  const std::vector<SumWidths> widths = widths_of_sums(layers, sum_bounds(session, layers, clip, most));
  std::vector<Noise> parts;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const int grid = grid_of(layers[l], widths[l].scaled_bits);
    parts.push_back({units_of(noise, clip, grid), noise.from, noise.colluding});
  }
  std::vector<ClippedSum> sums = sums_within(session, layers, widths, clip, counted);
  for (std::size_t l = 0; l < sums.size(); ++l) {
    const int dropped = grid_of(layers[l], widths[l].scaled_bits) - fraction_bits;
    const auto noisy = [&](const Share& sum) { return drop(session, add_noise(session, sum, parts[l]), dropped); };
    sums[l].weights = noisy(sums[l].weights);
    if (sums[l].bias) sums[l].bias = noisy(*sums[l].bias);
  }
  return sums;
}

}  // namespace tacit::mpc
