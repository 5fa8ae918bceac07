// default_ranges — the ranges of a job without declared ranges: the widest that cost little with every ring of a job.
//
// A product of two tensors of f fraction bits in a ring of K bits holds values up to 2^(K-2f-2): 2^14 in the narrowest
// combination (48, 16), 2^36 in the usual one (64, 13). The limit lies in tensors that have fallen to a narrower ring,
// or travel in a ring as narrow as their range:
//   features           4095: a standardised column of N nodes stays within sqrt(N), and so does its sum over neighbours
//                      under the symmetric normalisation. Features travel in the top ring: range costs nothing
//   weights            63: as far as the ring of Adam's steps reaches (over_roots.cc)
//   activations        1023: a bit of range is a bit of each comparison
//   gradients          1023: have fallen twice, to 38 bits of 64, when a layer multiplies them; larger ones are lifted
//   weight_gradients   16383: sums over nodes, 64 times the scale of gradients (train/gradient_scale.h)
#pragma once

#include "gnn/arithmetic/ranges.h"

namespace tacit::gnn {

inline constexpr Ranges kDefaultRanges{
    .features = 4095, .weights = 63, .activations = 1023, .gradients = 1023, .weight_gradients = 16383};

// Beside [privacy] on shares, bounds of features and weights prove how long a record's gradient can be
// (privacy/record_bounds.h), so both are small. Activations and gradients follow from them, unless a job declares them.
inline constexpr Ranges kPrivateRanges = [] {
  Ranges ranges = kDefaultRanges;
  ranges.features = 1;
  ranges.weights = 4;
  return ranges;
}();

}  // namespace tacit::gnn
