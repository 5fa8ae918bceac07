// Clipping — every element of a gradient to -most … most.
//
//   g·[-most <= g] - g·[most <= g] + most·([most <= g] + [-most <= g] - 1)
//
// Rounds      4 for all tensors together: one to lift what is narrower, one to show them, two to compare
// Sends       an element: what a show and two comparisons of it take
// Reveals     nothing, not even how many elements were clipped
#pragma once

#include <vector>

#include "gnn/tensor/arithmetic.h"

namespace tacit::gnn {

std::vector<Tensor> clipped(Arithmetic& arithmetic, const std::vector<Tensor>& gradients, double most);

}  // namespace tacit::gnn
