// clipped_sum — the sum of the clipped gradients of a batch of records, with noise: one step of DP-SGD.
//
//   S_l = (s ⊙ a_l)ᵀ d_l,  bias: sᵀ d_l      s from clip_factor; a_l, d_l the layer's inputs and gradients
//
// The narrower of a_l and d_l is multiplied by s, so that few columns are opened a second time. S_l is exact, with the
// fraction bits of a, of d and of s (2f + 19): what a record adds is s·(a ⊗ d), a product of whole numbers that nothing
// rounds, and s·|g| <= C. Noise on the same grid is added to the same words, and only then are bits dropped. So the
// sensitivity to a record is exactly C, and every rounding is post-processing: a function of S + z and of shares that
// do not depend on S.
//
// Requires    as clip_factor; the ring of a and of d holds records·C·2^grid and the noise (ConfigError otherwise)
// Reveals     nothing
// Rounds      2 besides those of clip_factor
// Sends       a record, besides: R + R·Σ_l min(in_l, out_l) bits to each peer, in a ring of R bits
// Consumes    a record, besides: R·Σ_l min(in_l, out_l) bits; R·Σ_l (in_l + 1)·out_l bits for the sums, without the +1
//             where d is the narrower or there is no bias; the noise
// Secure      as the protocols. The result is private as noise.h states, if it is revealed
// Papers      Abadi and others, CCS 2016 (DP-SGD; here on shares, with noise that no rank knows)
#pragma once

#include <optional>
#include <vector>

#include "mpc/functions/clip_factor.h"
#include "mpc/protocols/noise.h"

namespace tacit::mpc {

struct ClippedSum {
  Share weights;              // a row for each input, a column for each output
  std::optional<Share> bias;  // a row
};

// Without noise: for a caller that adds it itself before anything depends on a single record. `counted` as in
// clip_factor(): an empty row adds exactly 0.
std::vector<ClippedSum> clipped_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const Share* counted = nullptr);
// The same from a factor s that clip_factor gave.
std::vector<ClippedSum> scaled_sums(Session& session, std::span<const LayerRecords> layers, const Share& factor);

// With noise of standard deviation multiplier·C in each element, rounded up to a whole number of units of the grid.
struct StepNoise {
  double multiplier = 1;  // sigma
  NoiseFrom from = NoiseFrom::kBoth;
  int colluding = -1;  // as in Noise
};
std::vector<ClippedSum> private_sums(Session& session, std::span<const LayerRecords> layers, const Clip& clip,
                                     const StepNoise& noise, int fraction_bits, const Share* counted = nullptr);

}  // namespace tacit::mpc
