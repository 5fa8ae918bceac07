#include "mpc/functions/clip_factor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "mpc/functions/clip_margins.h"
#include "mpc/functions/normalise.h"
#include "mpc/made/look_up.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/row_product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr int kMostLengthBits = 16, kLeastLengthBits = 8;
constexpr int kMostOctaves = 12;
constexpr int kMostParties = 256;  // u, rounded up, must stay in the table
constexpr int kHeadBits = 3;       // above floor(log2 x) for the largest x: then |x| < 2^(k-2), as show requires
constexpr CellTable::Precision kRootPrecision{14, 14};
constexpr int kCountedRing = 4;  // of 0 and 1, to be shown and compared

// x / 2^bits, never too small.
Share dropped_up(Session& session, const Share& x, int bits, const ClipMargins& margins) {
  return add_public_units(session, drop(session, x, bits), bits == 0 ? 0 : margins.drop);
}

// N.
Share squared_norms(Session& session, std::span<const SquaredLengths> layers, const Clip& clip,
                    const ClipMargins& margins) {
  std::vector<ClipWidths::Length> bounds;
  for (const SquaredLengths& layer : layers) {
    bounds.push_back({layer.inputs.format(), layer.squared.inputs});
    bounds.push_back({layer.gradients.format(), layer.squared.gradients});
  }
  const ClipWidths widths = clip_widths(bounds, clip);
  std::vector<Share> lengths;  // |a|² + 1, |d|² of each layer
  const auto narrowed = [&](const Share& length, std::int64_t units) {
    const Share up = dropped_up(session, length, length.fraction_bits() - widths.length_bits, margins);
    const int ring = widths.shown_ring(bounds[lengths.size()]);
    lengths.push_back(narrow(add_public_units(session, up, units), ring));
  };
  for (const SquaredLengths& layer : layers) {
    narrowed(layer.inputs, layer.bias ? std::int64_t{1} << widths.length_bits : 0);
    narrowed(layer.gradients, 0);
  }
  const std::vector<Shown> shown = show(session, lengths);
  Share sum;
  for (std::size_t l = 0; l < shown.size(); l += 2) {
    const Share layer = lifted_product(session, shown[l], shown[l + 1], widths.product_ring);
    sum = l == 0 ? layer : sum + layer;
  }
  const Share norms =
      narrow(dropped_up(session, sum, sum.fraction_bits() - widths.norm_bits, margins), widths.norm_ring);
  session.expect_between(norms, 0, std::ldexp(1.0, 2 * (clip.log_clip + clip.octaves)), "a squared gradient");
  return norms;
}

// u, in kPositionBits fraction bits, never too small; 2^-w; and [N >= C²], each in the ring of `ring_bits`.
struct Position {
  Share u, power, clipped;
  std::optional<Bits> counted;
};

// `counted`: shown; null if all rows count.
Position position_of(Session& session, const Shown& norms, const Shown* counted, const Clip& clip, int ring_bits,
                     const ClipMargins& margins) {
  std::vector<Comparison> thresholds;
  for (int j = 0; j < clip.octaves; ++j) {
    thresholds.push_back({norms, norms.ring_bits() - 1, std::int64_t{1} << (kPositionBits + 2 * j)});
  }
  if (counted != nullptr) thresholds.push_back({*counted, kCountedRing - 1, 1});
  const std::vector<Bits> reached = non_negative(session, thresholds);
  // From C²·4^j on, u is N / (C²·4^(j+1)) and 2^-w is 2^-(j+1). Each bit changes the factor of the octave below it.
  const int last = clip.octaves - 1;
  const auto change = [&](int base_bits, int j) {
    const std::int64_t now = std::int64_t{1} << (base_bits * (last - j));
    return j == 0 ? now : now - (now << base_bits);
  };
  Position position;
  for (int j = 0; j <= last; ++j) {
    const Bits& bits = reached[static_cast<std::size_t>(j)];
    const Share one = indicator(session, bits, ring_bits);
    const Share power = scale(one, change(1, j), clip.octaves);
    const Share u = scale(select(session, bits, norms, norms.ring_bits()), change(2, j),
                          kPositionBits + 2 * clip.octaves - norms.fraction_bits());
    if (j == 0) {
      position = {u, power, one, {}};
    } else {
      position.u = position.u + u;
      position.power = position.power + power;
    }
  }
  position.u = dropped_up(session, position.u, 2 * clip.octaves, margins);
  if (counted != nullptr) position.counted = reached.back();
  return position;
}

}  // namespace

double ClipWidths::excess(std::span<const LargestSquares> layers, int parties) const {
  const double drop = static_cast<double>(2 * ClipMargins::of(parties).drop);
  const double of_length = std::ldexp(drop, -length_bits);
  double most = std::ldexp(drop, -norm_bits);
  for (const LargestSquares& layer : layers) most += of_length * (layer.inputs + 1 + layer.gradients + of_length);
  return most;
}

int ring_of_squares(double largest, int fraction_bits) {
  if (!std::isfinite(largest)) return std::numeric_limits<int>::max();
  // 1 for the bias, and one more for the roundings up.
  return fraction_bits + static_cast<int>(std::floor(std::log2(largest + 2))) + kHeadBits;
}

int ClipWidths::shown_ring(const Length& length) const {
  const int all = length.format.ring_bits - length.format.fraction_bits + length_bits;
  return std::isfinite(length.largest) ? std::min(all, ring_of_squares(length.largest, length_bits)) : all;
}

ClipWidths clip_widths(std::span<const ClipWidths::Length> squared_lengths, const Clip& clip) {
  TACIT_CHECK(!squared_lengths.empty());
  TACIT_CHECK(clip.octaves >= 1 && clip.octaves <= kMostOctaves);
  ClipWidths widths;
  widths.norm_bits = kPositionBits - 2 * clip.log_clip;
  widths.norm_ring = kPositionBits + 2 * clip.octaves + kHeadBits;
  TACIT_CHECK(widths.norm_bits >= 0 && widths.norm_bits <= 2 * kPositionBits + 2);
  // The product of two lengths falls to the ring of N.
  widths.length_bits = std::min(kMostLengthBits, (kWordBits - widths.norm_ring + widths.norm_bits) / 2);
  for (const ClipWidths::Length& length : squared_lengths) {
    const Format& format = length.format;
    widths.length_bits = std::min(widths.length_bits, format.fraction_bits);
    if (!std::isfinite(length.largest)) {
      // A length without a bound is shown in all of its ring.
      widths.length_bits = std::min(widths.length_bits, kWordBits - 1 - (format.ring_bits - format.fraction_bits));
    } else if (ring_of_squares(length.largest, format.fraction_bits) > format.ring_bits) {
      throw ConfigError(
          fmt::format("squared lengths up to {:.3g} need a ring of {} bits with {} fraction bits, and have {}: choose "
                      "a ring of more "
                      "bits, fewer fraction bits, or smaller ranges",
                      length.largest, ring_of_squares(length.largest, format.fraction_bits), format.fraction_bits,
                      format.ring_bits));
    }
  }
  if (widths.length_bits < kLeastLengthBits || 2 * widths.length_bits < widths.norm_bits) {
    throw ConfigError(fmt::format(
        "clipping to 2^{} with gradients of up to 2^{} leaves {} bits for the squared lengths of inputs and gradients, "
        "and needs {}: choose a ring of more bits, fewer fraction bits, or smaller ranges",
        clip.log_clip, clip.log_clip + clip.octaves, widths.length_bits,
        std::max(kLeastLengthBits, (widths.norm_bits + 1) / 2)));
  }
  widths.product_ring = widths.norm_ring + 2 * widths.length_bits - widths.norm_bits;
  for (const ClipWidths::Length& length : squared_lengths) {
    widths.product_ring = std::max(widths.product_ring, widths.shown_ring(length) + 1);
  }
  return widths;
}

// Half of 2^-10 is for the fit of the table. Without a dealer, the entries have errors that grow with the number of parties: for up to
// 3, the other half covers them.
ClipMargins ClipMargins::of(int parties) {
  constexpr double kLeastRoot = 0.98;  // beyond u = 1
  const double of_entries = largest_value_error(root_table(0), parties) / kLeastRoot;
  return {std::max(1, (parties + 1) / 2), std::max(std::ldexp(1.0, -10), std::ldexp(1.0, -11) + of_entries)};
}

CellTable root_table(double margin) {
  constexpr int kCellBits = 3, kDegree = 3;
  constexpr double kRoom = 1.0 / 64, kLeast = 0.25;
  return CellTable::polynomial({{kPositionBits, kPositionBits}, kCellBits},
                               {kLeast - kRoom - kRootCentre, 1 + kRoom - kRootCentre}, kDegree, kRootPrecision,
                               [=](double v) { return (1 - margin) / std::sqrt(v + kRootCentre); });
}

std::vector<SquaredLengths> squared_lengths(Session& session, std::span<const LayerRecords> layers) {
  std::vector<SquaredLengths> lengths;
  for (const LayerRecords& layer : layers) {
    const Share inputs = row_product(session, layer.inputs, layer.inputs);
    lengths.push_back({inputs, row_product(session, layer.gradients, layer.gradients), layer.bias, layer.squared});
  }
  return lengths;
}

Share clip_factor_within(Session& session, std::span<const SquaredLengths> layers, const Clip& clip, int ring_bits,
                         const ClipMargins& margins, const Share* counted) {
  const int found_bits = kRootPrecision.weight_bits + kRootPrecision.entry_bits + clip.octaves;
  const int ring = clip.factor_bits + kHeadBits, wide = ring + found_bits - clip.factor_bits;
  TACIT_CHECK(clip.factor_bits >= clip.octaves && clip.factor_bits <= found_bits && ring <= ring_bits);
  TACIT_CHECK(clip.rounding >= 0 && clip.rounding < 0.25);
  std::vector<Share> compared{squared_norms(session, layers, clip, margins)};
  if (counted != nullptr) {
    TACIT_CHECK(counted->fraction_bits() == 0 && counted->shape() == compared[0].shape());
    compared.push_back(narrow(*counted, kCountedRing));
  }
  const std::vector<Shown> shown = show(session, compared);
  const Position position =
      position_of(session, shown[0], counted != nullptr ? &shown[1] : nullptr, clip, wide, margins);
  const Share u = narrow(add_public(session, position.u, -kRootCentre), kPositionBits);
  const std::vector<Masked> masked = mask(session, std::array{u, position.power});
  const std::vector<Share> found =
      look_up(session, masked[0], root_table(1 - (1 - margins.table) * (1 - clip.rounding)), wide,
              std::span(masked).subspan(1));
  const auto one = static_cast<std::int64_t>(std::ldexp(1 - clip.rounding, clip.factor_bits));
  const Share scaled = drop(session, found[1], found_bits - clip.factor_bits);
  const Share factor = scaled - narrow(scale(position.clipped, one, clip.factor_bits), ring);
  const Shown narrow_factor = show(session, add_public_units(session, factor, one - margins.drop));
  return position.counted ? select(session, *position.counted, narrow_factor, ring_bits)
                          : lift(session, narrow_factor, ring_bits);
}

Share clip_factor(Session& session, std::span<const SquaredLengths> layers, const Clip& clip, int ring_bits,
                  const Share* counted) {
  TACIT_CHECK(session.parties() <= kMostParties);
  return clip_factor_within(session, layers, clip, ring_bits, ClipMargins::of(session.parties()), counted);
}

Share clip_factor(Session& session, std::span<const LayerRecords> layers, const Clip& clip, int ring_bits,
                  const Share* counted) {
  return clip_factor(session, squared_lengths(session, layers), clip, ring_bits, counted);
}

}  // namespace tacit::mpc
