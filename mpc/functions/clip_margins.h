// ClipMargins — by how much clip_factor rounds up and down, so that s·|g| <= C holds. For clip_factor itself, and for
// its tests: with smaller margins a record counts more than C.
#pragma once

#include "mpc/functions/clip_factor.h"
#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

struct ClipMargins {
  std::int64_t drop = 0;  // units: the largest error of a drop (drop.h)
  double table = 0;       // relative: above the largest error of the table of 1/sqrt u, of any source of correlations

  static ClipMargins of(int parties);
};

// (1 - margin)/sqrt(u) for 1/4 <= u <= 1 + 2^-6, at u - kRootCentre; a relative error below 2^-11 of every pair of
// argument and mask.
inline constexpr double kRootCentre = 0.6875;
CellTable root_table(double margin);

Share clip_factor_within(Session& session, std::span<const SquaredLengths> layers, const Clip& clip, int ring_bits,
                         const ClipMargins& margins, const Share* counted = nullptr);
std::vector<SquaredLengths> squared_lengths(Session& session, std::span<const LayerRecords> layers);

}  // namespace tacit::mpc
