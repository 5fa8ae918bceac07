// Clipping — every element of some tensors to -most … most.
//
//   x·[-most <= x] - x·[most <= x] + most·([most <= x] + [-most <= x] - 1)
//
// Rounds      4 for all tensors together: one to lift tensors in narrow rings, one to show, two to compare
// Sends       the bits of a show and of two comparisons, for each element
// Reveals     nothing, not even how many elements were clipped
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// Results are in a ring that holds `range` at least.
Tensors clipped(Arithmetic& arithmetic, std::span<const Tensor> tensors, double most, double range);

// Values in the top ring, each at most `most`; and by how much each was changed, as fine as values. Rounds: 3, all but the
// comparison for a show that a lift would make, too. |tensors| <= their bounds.
struct Clamped {
  Tensors values, changes;
};
Clamped clamped(Arithmetic& arithmetic, std::span<const Tensor> tensors, double most);

}  // namespace tacit::gnn
