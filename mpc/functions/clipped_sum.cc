#include "mpc/functions/clipped_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/random/discrete_gaussian.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

bool scales_inputs(const LayerRecords& layer) { return layer.inputs.shape().cols <= layer.gradients.shape().cols; }

const Masked& narrower(const LayerRecords& layer) { return scales_inputs(layer) ? layer.inputs : layer.gradients; }

int ring_of(const LayerRecords& layer) { return std::min(layer.inputs.ring_bits(), layer.gradients.ring_bits()); }

int grid_of(const LayerRecords& layer, const Clip& clip) {
  return layer.inputs.fraction_bits() + layer.gradients.fraction_bits() + clip.factor_bits;
}

int widest_ring(std::span<const LayerRecords> layers) {
  int ring = 0;
  for (const LayerRecords& layer : layers) ring = std::max(ring, ring_of(layer));
  return ring;
}

// The units of the noise on a layer's grid.
std::int64_t units_of(const StepNoise& noise, const LayerRecords& layer, const Clip& clip) {
  const double units = std::ceil(std::ldexp(noise.multiplier, clip.log_clip + grid_of(layer, clip)));
  if (!(units >= 1 && units <= static_cast<double>(DiscreteGaussian::kMostSigma))) {
    throw ConfigError(
        fmt::format("noise of {} times 2^{} is {:.3g} units of 2^-{}; it must be between 1 and 2^52: choose another "
                    "noise, a smaller "
                    "clip or fewer fraction bits",
                    noise.multiplier, clip.log_clip, units, grid_of(layer, clip)));
  }
  return static_cast<std::int64_t>(units);
}

// In units: the largest sum, and the largest noise.
void expect_room(const LayerRecords& layer, const Clip& clip, double largest_noise) {
  const std::int64_t records = layer.inputs.shape().rows;
  const double most = std::ldexp(static_cast<double>(records), clip.log_clip + grid_of(layer, clip)) + largest_noise;
  if (most < std::ldexp(1.0, ring_of(layer) - 1)) return;
  throw ConfigError(fmt::format(
      "the sum of {} gradients, clipped to 2^{}, and its noise needs {} bits with {} fraction bits, and the ring has "
      "{}: "
      "choose a smaller batch, less noise, a ring of more bits, or fewer fraction bits",
      records, clip.log_clip, static_cast<int>(std::ceil(std::log2(most))) + 1, grid_of(layer, clip), ring_of(layer)));
}

std::vector<ClippedSum> sums_by(Session& session, std::span<const LayerRecords> layers, const Masked& factor) {
  std::vector<Share> scaled;
  for (const LayerRecords& layer : layers) {
    const Masked& side = narrower(layer);
    scaled.push_back(product(session, repeat_cols(factor, side.shape().cols), side));
  }
  const std::vector<Masked> masked = mask(session, scaled);
  std::vector<ClippedSum> sums;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerRecords& layer = layers[l];
    const bool inputs = scales_inputs(layer);
    ClippedSum& sum = sums.emplace_back();
    sum.weights = inputs ? matmul(session, masked[l].transposed(), layer.gradients)
                         : matmul(session, layer.inputs.transposed(), masked[l]);
    if (!layer.bias) continue;
    const Share bias = inputs ? matmul(session, factor.transposed(), layer.gradients) : column_sums(scaled[l]);
    sum.bias = narrow(refine(bias, sum.weights.fraction_bits()), sum.weights.ring_bits());
  }
  return sums;
}

}  // namespace

std::vector<ClippedSum> scaled_sums(Session& session, std::span<const LayerRecords> layers, const Share& factor) {
  for (const LayerRecords& layer : layers) {
    TACIT_CHECK(layer.inputs.shape().rows == factor.shape().rows);
    TACIT_CHECK(layer.gradients.shape().rows == factor.shape().rows);
  }
  return sums_by(session, layers, mask(session, factor));
}

std::vector<ClippedSum> clipped_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const Share* counted) {
  for (const LayerRecords& layer : layers) expect_room(layer, clip, 0);
  return scaled_sums(session, layers, clip_factor(session, layers, clip, widest_ring(layers), counted));
}

std::vector<ClippedSum> private_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const StepNoise& noise, int fraction_bits, const Share* counted) {
  std::vector<Noise> parts;
  for (const LayerRecords& layer : layers) {
    parts.push_back({units_of(noise, layer, clip), noise.from, noise.colluding});
    expect_room(layer, clip, largest_noise(parts.back(), session.parties()));
  }
  std::vector<ClippedSum> sums = clipped_sums(session, layers, clip, counted);
  for (std::size_t l = 0; l < sums.size(); ++l) {
    const int dropped = grid_of(layers[l], clip) - fraction_bits;
    const auto noisy = [&](const Share& sum) { return drop(session, add_noise(session, sum, parts[l]), dropped); };
    sums[l].weights = noisy(sums[l].weights);
    if (sums[l].bias) sums[l].bias = noisy(*sums[l].bias);
  }
  return sums;
}

}  // namespace tacit::mpc
