// clipped_sum — the sum of the clipped gradients of a batch of records, with noise: one step of DP-SGD.
//
//   S_l = (s ⊙ a_l)ᵀ d_l,  bias: sᵀ d_l      s from clip_factor; a_l, d_l the layer's inputs and gradients
//
// The narrower of a_l and d_l is multiplied by s and dropped (truncated) to the ring of the sum, so that few columns are
// opened a second time, and the other one needs no wider ring than the sum (sum_widths.h). A record adds a product of
// whole numbers: the dropped s ⊙ a, and d. s is so small that no drop takes the record's length above C. Noise on the grid
// of the sum is added to the same words, and bits of the sum are dropped only afterwards. The sensitivity to any record is
// therefore C, and every later rounding is post-processing: a function of S + z and of shares that do not depend on S.
//
// Requires    as clip_factor; bounds of |a|² and |d|² that hold for every record, unless the rings are so wide that nothing
//             is dropped; a ring that holds the sum and the noise (ConfigError otherwise)
// Reveals     nothing
// Rounds      2 besides the rounds of clip_factor
// Sends       a record, besides: W + Σ_l R_l·min(in_l, out_l) bits to each peer, with R_l the ring of the sum and W the
//             widest ring of a scaled side
// Consumes    a record, besides: W·Σ_l min(in_l, out_l) bits; for the sums R_l·(in_l + 1)·out_l bits, without the +1
//             where d is the narrower or there is no bias; the noise
// Secure      as the protocols. The result is private as noise.h states, if it is revealed
// Papers      Abadi and others, CCS 2016 (DP-SGD; here on shares, with noise that no rank knows)
#pragma once

#include <optional>
#include <vector>

#include "mpc/functions/clip_factor.h"
#include "mpc/functions/sum_widths.h"
#include "mpc/protocols/noise.h"

namespace tacit::mpc {

struct ClippedSum {
  Share weights;              // a row for each input, a column for each output
  std::optional<Share> bias;  // a row
};

// The widths of each layer's sum in the rings of its a and d. Throws ConfigError if one does not fit.
std::vector<SumWidths> widths_of_sums(std::span<const LayerRecords> layers, const SumBounds& bounds);
// `clip` with the part of C that the drops of all these sums need.
Clip with_rounding(Clip clip, std::span<const SumWidths> widths);

// Without noise: for a caller that adds it itself before anything depends on a single record. `counted` as in
// clip_factor(): s of an empty row is 0, so that the row adds at most the errors of the drops.
std::vector<ClippedSum> clipped_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const Share* counted = nullptr);
// The same from a factor s that clip_factor gave for with_rounding(clip, widths).
std::vector<ClippedSum> scaled_sums(Session& session, std::span<const LayerRecords> layers,
                                    std::span<const SumWidths> widths, const Share& factor);
// The two steps of scaled_sums(), for tests of the bound: s ⊙ the narrower of a and d of each layer, dropped; and the sums.
std::vector<Share> scaled_sides(Session& session, std::span<const LayerRecords> layers,
                                std::span<const SumWidths> widths, const Masked& factor);
std::vector<ClippedSum> sums_of_sides(Session& session, std::span<const LayerRecords> layers, const Masked& factor,
                                      std::span<const Share> sides);

// Noise of standard deviation multiplier·C in each element, rounded up to a whole number of units of the grid.
struct StepNoise {
  double multiplier = 1;  // sigma
  NoiseFrom from = NoiseFrom::kBoth;
  int colluding = -1;  // as in Noise
};
// The largest noise of a step in units of C, rounded up.
double largest_noise(const StepNoise& noise, int parties);
// The room that a sum needs besides records, in units of C: the largest noise, the largest error of the drop to
// `fraction_bits`, and one more unit.
double noise_and_rounding(const StepNoise& noise, const Clip& clip, int fraction_bits, int parties);
std::vector<ClippedSum> private_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const StepNoise& noise, int fraction_bits, const Share* counted = nullptr);

}  // namespace tacit::mpc
